// Original file: atelier/v1/memberships.proto


export interface ListLicencesRequestInput {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListLicencesRequest {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
