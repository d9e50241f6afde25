// Original file: atelier/v1/admin.proto


export interface GetAccountMembershipRequestInput {
  'account'?: (string);
}

export interface GetAccountMembershipRequest {
  'account': (string);
}
