// Original file: atelier/v1/admin.proto


export interface ListAccountKeysRequestInput {
  'account'?: (string);
}

export interface ListAccountKeysRequest {
  'account': (string);
}
