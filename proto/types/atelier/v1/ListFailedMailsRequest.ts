// Original file: atelier/v1/admin.proto


export interface ListFailedMailsRequestInput {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
}

export interface ListFailedMailsRequest {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
}
