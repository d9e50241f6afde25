// Original file: atelier/v1/orders.proto

import type { OrderInput as _atelier_v1_OrderInput, Order as _atelier_v1_Order } from '../../atelier/v1/Order.ts';

export interface CheckoutPageInput {
  'order'?: (_atelier_v1_OrderInput | null);
  /**
   * Empty where the order is paid by now.
   */
  'url'?: (string);
}

export interface CheckoutPage {
  'order': (_atelier_v1_Order | null);
  /**
   * Empty where the order is paid by now.
   */
  'url': (string);
}
