// Original file: atelier/v1/admin.proto


export interface ListAllTicketsRequestInput {
  /**
   * open, answered or closed; empty: all.
   */
  'state'?: (string);
  /**
   * Id or e-mail address; empty: of all accounts.
   */
  'account'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListAllTicketsRequest {
  /**
   * open, answered or closed; empty: all.
   */
  'state': (string);
  /**
   * Id or e-mail address; empty: of all accounts.
   */
  'account': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
