// Original file: atelier/v1/admin.proto


export interface ListAnyOrdersRequestInput {
  /**
   * Id or e-mail address; empty means all.
   */
  'account'?: (string);
  /**
   * Empty means any.
   */
  'state'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListAnyOrdersRequest {
  /**
   * Id or e-mail address; empty means all.
   */
  'account': (string);
  /**
   * Empty means any.
   */
  'state': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
