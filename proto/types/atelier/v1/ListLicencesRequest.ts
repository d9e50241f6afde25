// Original file: atelier/v1/memberships.proto


export interface ListLicencesRequestInput {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * Empty: of all products.
   */
  'product_id'?: (string);
}

export interface ListLicencesRequest {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
  /**
   * Empty: of all products.
   */
  'product_id': (string);
}
