// Original file: atelier/v1/admin.proto


export interface ResumeProviderRequestInput {
  'provider'?: (string);
}

export interface ResumeProviderRequest {
  'provider': (string);
}
