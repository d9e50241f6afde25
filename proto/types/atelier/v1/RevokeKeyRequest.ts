// Original file: atelier/v1/accounts.proto


export interface RevokeKeyRequestInput {
  'key_id'?: (string);
}

export interface RevokeKeyRequest {
  'key_id': (string);
}
