// Original file: atelier/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ProductFileHeadlineInput {
  'product_slug'?: (string);
  /**
   * As it will be saved by whoever downloads it.
   */
  'name'?: (string);
  'version'?: (string);
  'bytes'?: (number | string | Long);
  'sha256'?: (string);
}

export interface ProductFileHeadline {
  'product_slug': (string);
  /**
   * As it will be saved by whoever downloads it.
   */
  'name': (string);
  'version': (string);
  'bytes': (number);
  'sha256': (string);
}
