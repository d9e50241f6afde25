// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface SearchOffersRequestInput {
  /**
   * At most 200 characters; empty: everything.
   */
  'search'?: (string);
  /**
   * Slugs of categories and subcategories, at most 50, any of which may match; none given means all.
   */
  'categories'?: (string)[];
  /**
   * Bounds of the price of at least one licence.
   */
  'min_cents'?: (number | string | Long);
  'max_cents'?: (number | string | Long);
  /**
   * 0, or next_offset of the answer before.
   */
  'offset'?: (number | string | Long);
  /**
   * 1 to 50.
   */
  'limit'?: (number);
  '_min_cents'?: "min_cents";
  '_max_cents'?: "max_cents";
}

export interface SearchOffersRequest {
  /**
   * At most 200 characters; empty: everything.
   */
  'search': (string);
  /**
   * Slugs of categories and subcategories, at most 50, any of which may match; none given means all.
   */
  'categories': (string)[];
  /**
   * Bounds of the price of at least one licence.
   */
  'min_cents'?: (number);
  'max_cents'?: (number);
  /**
   * 0, or next_offset of the answer before.
   */
  'offset': (number);
  /**
   * 1 to 50.
   */
  'limit': (number);
}
