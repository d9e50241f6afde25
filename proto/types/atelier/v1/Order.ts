// Original file: atelier/v1/orders.proto

import type { OrderItemInput as _atelier_v1_OrderItemInput, OrderItem as _atelier_v1_OrderItem } from '../../atelier/v1/OrderItem.ts';
import type { OrderEventInput as _atelier_v1_OrderEventInput, OrderEvent as _atelier_v1_OrderEvent } from '../../atelier/v1/OrderEvent.ts';
import type { Long } from '@grpc/proto-loader';

export interface OrderInput {
  'order_id'?: (string);
  'account_id'?: (string);
  /**
   * product, credits, plan or membership.
   */
  'kind'?: (string);
  /**
   * placed, paid, fulfilled, refunded, disputed, expired, cancelled or failed.
   */
  'state'?: (string);
  'items'?: (_atelier_v1_OrderItemInput)[];
  'currency'?: (string);
  /**
   * Before tax.
   */
  'amount_cents'?: (number | string | Long);
  'tax_cents'?: (number | string | Long);
  'provider'?: (string);
  'receipt_number'?: (string);
  'reason'?: (string);
  'created_at'?: (string);
  'paid_at'?: (string);
  'expires_at'?: (string);
  'events'?: (_atelier_v1_OrderEventInput)[];
  /**
   * The provider's ids of checkout and payment; empty where there is none.
   */
  'provider_ref'?: (string);
  'payment_ref'?: (string);
  /**
   * For people to quote: the day on which it was placed, and the end of its id.
   */
  'number'?: (string);
  '_provider'?: "provider";
  '_receipt_number'?: "receipt_number";
  '_reason'?: "reason";
  '_paid_at'?: "paid_at";
}

export interface Order {
  'order_id': (string);
  'account_id': (string);
  /**
   * product, credits, plan or membership.
   */
  'kind': (string);
  /**
   * placed, paid, fulfilled, refunded, disputed, expired, cancelled or failed.
   */
  'state': (string);
  'items': (_atelier_v1_OrderItem)[];
  'currency': (string);
  /**
   * Before tax.
   */
  'amount_cents': (number);
  'tax_cents': (number);
  'provider'?: (string);
  'receipt_number'?: (string);
  'reason'?: (string);
  'created_at': (string);
  'paid_at'?: (string);
  'expires_at': (string);
  'events': (_atelier_v1_OrderEvent)[];
  /**
   * The provider's ids of checkout and payment; empty where there is none.
   */
  'provider_ref': (string);
  'payment_ref': (string);
  /**
   * For people to quote: the day on which it was placed, and the end of its id.
   */
  'number': (string);
}
