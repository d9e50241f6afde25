// Original file: atelier/v1/orders.proto


export interface WantedMembershipInput {
  'tier'?: (string);
  /**
   * month or year.
   */
  'interval'?: (string);
}

export interface WantedMembership {
  'tier': (string);
  /**
   * month or year.
   */
  'interval': (string);
}
