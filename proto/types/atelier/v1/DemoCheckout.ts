// Original file: atelier/v1/orders.proto

import type { Long } from '@grpc/proto-loader';

export interface DemoCheckoutInput {
  'ref'?: (string);
  /**
   * open, paid, declined, expired or cancelled.
   */
  'state'?: (string);
  'order_id'?: (string);
  'items'?: (string)[];
  'amount_cents'?: (number | string | Long);
  'currency'?: (string);
  /**
   * once, month or year.
   */
  'every'?: (string);
}

export interface DemoCheckout {
  'ref': (string);
  /**
   * open, paid, declined, expired or cancelled.
   */
  'state': (string);
  'order_id': (string);
  'items': (string)[];
  'amount_cents': (number);
  'currency': (string);
  /**
   * once, month or year.
   */
  'every': (string);
}
