// Original file: atelier/v1/admin.proto


export interface RevokeAccountKeyRequestInput {
  'key_id'?: (string);
}

export interface RevokeAccountKeyRequest {
  'key_id': (string);
}
