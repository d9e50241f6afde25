// Original file: atelier/v1/admin.proto


export interface ResumeModelRequestInput {
  'model_slug'?: (string);
}

export interface ResumeModelRequest {
  'model_slug': (string);
}
