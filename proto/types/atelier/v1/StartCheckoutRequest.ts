// Original file: atelier/v1/orders.proto

import type { Long } from '@grpc/proto-loader';

export interface StartCheckoutRequestInput {
  'order_id'?: (string);
  /**
   * The price that the person saw last. Where it is not that of the moment, price_changed tells the new one in amount_cents.
   */
  'expected_cents'?: (number | string | Long);
}

export interface StartCheckoutRequest {
  'order_id': (string);
  /**
   * The price that the person saw last. Where it is not that of the moment, price_changed tells the new one in amount_cents.
   */
  'expected_cents': (number);
}
