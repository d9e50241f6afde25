// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface CategoryInput {
  'slug'?: (string);
  'name'?: (string);
  /**
   * Empty for a top category; else this is a subcategory.
   */
  'parent'?: (string);
  'products'?: (number | string | Long);
}

export interface Category {
  'slug': (string);
  'name': (string);
  /**
   * Empty for a top category; else this is a subcategory.
   */
  'parent': (string);
  'products': (number);
}
