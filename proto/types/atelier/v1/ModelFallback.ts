// Original file: atelier/v1/admin.proto


export interface ModelFallbackInput {
  'provider'?: (string);
  'provider_model'?: (string);
  'provider_options_json'?: (string);
}

export interface ModelFallback {
  'provider': (string);
  'provider_model': (string);
  'provider_options_json': (string);
}
