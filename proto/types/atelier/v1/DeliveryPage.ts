// Original file: atelier/v1/callbacks.proto

import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from '../../atelier/v1/Delivery.ts';

export interface DeliveryPageInput {
  /**
   * May be fewer than limit, even none, on a page that is not the last: a page reads 5,000 deliveries at most.
   */
  'deliveries'?: (_atelier_v1_DeliveryInput)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface DeliveryPage {
  /**
   * May be fewer than limit, even none, on a page that is not the last: a page reads 5,000 deliveries at most.
   */
  'deliveries': (_atelier_v1_Delivery)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor': (string);
}
