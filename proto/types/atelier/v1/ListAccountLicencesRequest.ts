// Original file: atelier/v1/admin.proto


export interface ListAccountLicencesRequestInput {
  'account'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListAccountLicencesRequest {
  'account': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
