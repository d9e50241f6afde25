// Original file: atelier/v1/admin.proto


export interface ListAccountDownloadsRequestInput {
  /**
   * Id or e-mail address.
   */
  'account'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListAccountDownloadsRequest {
  /**
   * Id or e-mail address.
   */
  'account': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
