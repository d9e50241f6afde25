// Original file: atelier/v1/admin.proto


export interface ListAnySubscriptionsRequestInput {
  /**
   * Id or e-mail address; empty means all.
   */
  'account'?: (string);
  /**
   * active, past_due, cancelling or ended; empty means any.
   */
  'state'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListAnySubscriptionsRequest {
  /**
   * Id or e-mail address; empty means all.
   */
  'account': (string);
  /**
   * active, past_due, cancelling or ended; empty means any.
   */
  'state': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
