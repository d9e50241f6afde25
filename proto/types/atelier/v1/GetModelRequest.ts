// Original file: atelier/v1/models.proto


export interface GetModelRequestInput {
  'model_slug'?: (string);
}

export interface GetModelRequest {
  'model_slug': (string);
}
