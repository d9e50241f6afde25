// Original file: atelier/v1/orders.proto

import type { OrderInput as _atelier_v1_OrderInput, Order as _atelier_v1_Order } from '../../atelier/v1/Order.ts';

export interface ListOrdersReplyInput {
  'orders'?: (_atelier_v1_OrderInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListOrdersReply {
  'orders': (_atelier_v1_Order)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
