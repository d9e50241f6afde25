// Original file: atelier/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface SetTierPricesRequestInput {
  'tier'?: (string);
  /**
   * 0 is free.
   */
  'monthly_price_cents'?: (number | string | Long);
  'yearly_price_cents'?: (number | string | Long);
}

export interface SetTierPricesRequest {
  'tier': (string);
  /**
   * 0 is free.
   */
  'monthly_price_cents': (number);
  'yearly_price_cents': (number);
}
