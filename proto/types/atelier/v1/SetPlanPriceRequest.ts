// Original file: atelier/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface SetPlanPriceRequestInput {
  'plan'?: (string);
  /**
   * 0 is free.
   */
  'price_cents'?: (number | string | Long);
}

export interface SetPlanPriceRequest {
  'plan': (string);
  /**
   * 0 is free.
   */
  'price_cents': (number);
}
