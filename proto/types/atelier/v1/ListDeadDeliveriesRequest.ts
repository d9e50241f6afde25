// Original file: atelier/v1/admin.proto


export interface ListDeadDeliveriesRequestInput {
  /**
   * The receiver, as https://example.com; empty: any.
   */
  'host'?: (string);
  /**
   * Id or e-mail address; empty: any.
   */
  'account'?: (string);
  /**
   * Of jobs made then or later. RFC 3339.
   */
  'since'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListDeadDeliveriesRequest {
  /**
   * The receiver, as https://example.com; empty: any.
   */
  'host': (string);
  /**
   * Id or e-mail address; empty: any.
   */
  'account': (string);
  /**
   * Of jobs made then or later. RFC 3339.
   */
  'since': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
