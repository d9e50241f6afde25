// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ListSlugsRequestInput {
  'offset'?: (number | string | Long);
  /**
   * 1 to 50,000.
   */
  'limit'?: (number);
}

export interface ListSlugsRequest {
  'offset': (number);
  /**
   * 1 to 50,000.
   */
  'limit': (number);
}
