// Original file: atelier/v1/admin.proto


export interface SetMembershipRequestInput {
  'account'?: (string);
  'tier'?: (string);
  /**
   * End of the period, in the future. RFC 3339.
   */
  'until'?: (string);
}

export interface SetMembershipRequest {
  'account': (string);
  'tier': (string);
  /**
   * End of the period, in the future. RFC 3339.
   */
  'until': (string);
}
