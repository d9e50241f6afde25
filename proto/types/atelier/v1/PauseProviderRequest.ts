// Original file: atelier/v1/admin.proto


export interface PauseProviderRequestInput {
  'provider'?: (string);
}

export interface PauseProviderRequest {
  'provider': (string);
}
