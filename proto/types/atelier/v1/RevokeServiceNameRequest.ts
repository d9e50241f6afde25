// Original file: atelier/v1/admin.proto


export interface RevokeServiceNameRequestInput {
  'name'?: (string);
}

export interface RevokeServiceNameRequest {
  'name': (string);
}
