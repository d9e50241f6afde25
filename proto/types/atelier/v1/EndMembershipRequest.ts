// Original file: atelier/v1/admin.proto


export interface EndMembershipRequestInput {
  'account'?: (string);
}

export interface EndMembershipRequest {
  'account': (string);
}
