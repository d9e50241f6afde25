// Original file: atelier/v1/admin.proto


export interface ListMemberKeysRequestInput {
  'account'?: (string);
}

export interface ListMemberKeysRequest {
  'account': (string);
}
