// Original file: atelier/v1/library.proto

import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from '../../atelier/v1/ProductFile.ts';

/**
 * A licence, with all that it opens.
 */
export interface LibraryLicenceInput {
  'licence_id'?: (string);
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
  /**
   * Of the terms of its kind, those that it was granted under.
   */
  'terms_version'?: (number);
  /**
   * The order that it came with.
   */
  'order_id'?: (string);
  'files'?: (_atelier_v1_ProductFileInput)[];
  '_revoked_at'?: "revoked_at";
  '_order_id'?: "order_id";
}

/**
 * A licence, with all that it opens.
 */
export interface LibraryLicence {
  'licence_id': (string);
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
  /**
   * Of the terms of its kind, those that it was granted under.
   */
  'terms_version': (number);
  /**
   * The order that it came with.
   */
  'order_id'?: (string);
  'files': (_atelier_v1_ProductFile)[];
}
