// Original file: atelier/v1/admin.proto


export interface PauseModelRequestInput {
  'model_slug'?: (string);
}

export interface PauseModelRequest {
  'model_slug': (string);
}
