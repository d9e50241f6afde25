// Original file: atelier/v1/admin.proto


export interface RevokeMemberKeyRequestInput {
  'key_id'?: (string);
}

export interface RevokeMemberKeyRequest {
  'key_id': (string);
}
