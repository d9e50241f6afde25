// Original file: atelier/v1/admin.proto


export interface GrantLicenceRequestInput {
  'account'?: (string);
  'product_slug'?: (string);
  /**
   * standard or client.
   */
  'kind'?: (string);
  /**
   * purchase, membership or grant. A purchase of a plus_only product and every licence that comes with a membership need one that
   * is active; a grant is support's own decision and needs none.
   */
  'source'?: (string);
}

export interface GrantLicenceRequest {
  'account': (string);
  'product_slug': (string);
  /**
   * standard or client.
   */
  'kind': (string);
  /**
   * purchase, membership or grant. A purchase of a plus_only product and every licence that comes with a membership need one that
   * is active; a grant is support's own decision and needs none.
   */
  'source': (string);
}
