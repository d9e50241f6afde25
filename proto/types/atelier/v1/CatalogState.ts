// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface CatalogStateInput {
  /**
   * Counts the writes that changed anything public.
   */
  'version'?: (number | string | Long);
  /**
   * Changes whenever any public answer may have changed: with every version, and when a sale begins or ends. Equal at all cores
   * for the same state. Safe inside an ETag.
   */
  'revision'?: (string);
  /**
   * When the revision changes next by time alone; a page kept under this revision must not be sent from then on. Empty: never. RFC 3339.
   */
  'next_edge_at'?: (string);
  /**
   * False while core cannot vouch for its answers: pages must not be sent from a cache.
   */
  'fresh'?: (boolean);
  'products'?: (number | string | Long);
  /**
   * The time by which core decides, when it said this. RFC 3339.
   */
  'now'?: (string);
}

export interface CatalogState {
  /**
   * Counts the writes that changed anything public.
   */
  'version': (number);
  /**
   * Changes whenever any public answer may have changed: with every version, and when a sale begins or ends. Equal at all cores
   * for the same state. Safe inside an ETag.
   */
  'revision': (string);
  /**
   * When the revision changes next by time alone; a page kept under this revision must not be sent from then on. Empty: never. RFC 3339.
   */
  'next_edge_at': (string);
  /**
   * False while core cannot vouch for its answers: pages must not be sent from a cache.
   */
  'fresh': (boolean);
  'products': (number);
  /**
   * The time by which core decides, when it said this. RFC 3339.
   */
  'now': (string);
}
