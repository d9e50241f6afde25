// Original file: atelier/v1/memberships.proto


export interface LicenceInput {
  'licence_id'?: (string);
  'account_id'?: (string);
  'product_id'?: (string);
  'product_slug'?: (string);
  /**
   * As it was when the licence was granted.
   */
  'product_name'?: (string);
  /**
   * standard or client.
   */
  'kind'?: (string);
  /**
   * purchase, membership or grant.
   */
  'source'?: (string);
  /**
   * active or revoked.
   */
  'status'?: (string);
  'granted_at'?: (string);
  'revoked_at'?: (string);
  '_revoked_at'?: "revoked_at";
}

export interface Licence {
  'licence_id': (string);
  'account_id': (string);
  'product_id': (string);
  'product_slug': (string);
  /**
   * As it was when the licence was granted.
   */
  'product_name': (string);
  /**
   * standard or client.
   */
  'kind': (string);
  /**
   * purchase, membership or grant.
   */
  'source': (string);
  /**
   * active or revoked.
   */
  'status': (string);
  'granted_at': (string);
  'revoked_at'?: (string);
}
