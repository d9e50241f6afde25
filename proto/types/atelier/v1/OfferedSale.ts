// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface OfferedSaleInput {
  'price_cents'?: (number | string | Long);
  /**
   * RFC 3339; empty on a side that is open.
   */
  'starts_at'?: (string);
  'ends_at'?: (string);
}

export interface OfferedSale {
  'price_cents': (number);
  /**
   * RFC 3339; empty on a side that is open.
   */
  'starts_at': (string);
  'ends_at': (string);
}
