// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A query in one form: aliases resolved, lists split. Empty text means that the parameter was not given.
 */
export interface ListProductsRequestInput {
  /**
   * At most 200 characters.
   */
  'search'?: (string);
  'category'?: (string);
  'subcategory'?: (string);
  'pricing_tier'?: (string);
  /**
   * All must match.
   */
  'tags'?: (string)[];
  /**
   * Any may match; none given means all public ones. Others than the public ones match nothing.
   */
  'statuses'?: (string)[];
  /**
   * featured (also when empty), newest, alphabetical, popular, rating or home.
   */
  'sort'?: (string);
  /**
   * From 1; 0 means 1. No upper bound.
   */
  'page'?: (number | string | Long);
  /**
   * 1 to 50; 0 means 12.
   */
  'page_size'?: (number);
  /**
   * Some of category, pricing_tier, tag, status: adds `facets` to the page.
   */
  'facets'?: (string)[];
  /**
   * Also fill `products`.
   */
  'typed'?: (boolean);
}

/**
 * A query in one form: aliases resolved, lists split. Empty text means that the parameter was not given.
 */
export interface ListProductsRequest {
  /**
   * At most 200 characters.
   */
  'search': (string);
  'category': (string);
  'subcategory': (string);
  'pricing_tier': (string);
  /**
   * All must match.
   */
  'tags': (string)[];
  /**
   * Any may match; none given means all public ones. Others than the public ones match nothing.
   */
  'statuses': (string)[];
  /**
   * featured (also when empty), newest, alphabetical, popular, rating or home.
   */
  'sort': (string);
  /**
   * From 1; 0 means 1. No upper bound.
   */
  'page': (number);
  /**
   * 1 to 50; 0 means 12.
   */
  'page_size': (number);
  /**
   * Some of category, pricing_tier, tag, status: adds `facets` to the page.
   */
  'facets': (string)[];
  /**
   * Also fill `products`.
   */
  'typed': (boolean);
}
