// Original file: atelier/v1/admin.proto


export interface RetireModelRequestInput {
  'model_slug'?: (string);
}

export interface RetireModelRequest {
  'model_slug': (string);
}
