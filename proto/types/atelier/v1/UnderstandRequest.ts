// Original file: atelier/v1/jobs.proto


export interface UnderstandRequestInput {
  'model_slug'?: (string);
  'prompt'?: (string);
}

export interface UnderstandRequest {
  'model_slug': (string);
  'prompt': (string);
}
