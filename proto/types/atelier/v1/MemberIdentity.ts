// Original file: atelier/v1/memberships.proto


export interface MemberIdentityInput {
  'account_id'?: (string);
  'key_id'?: (string);
  'tier'?: (string);
  'plan'?: (string);
  /**
   * Whether Generate is open to this member.
   */
  'plan_includes_api'?: (boolean);
}

export interface MemberIdentity {
  'account_id': (string);
  'key_id': (string);
  'tier': (string);
  'plan': (string);
  /**
   * Whether Generate is open to this member.
   */
  'plan_includes_api': (boolean);
}
