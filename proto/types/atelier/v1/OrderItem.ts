// Original file: atelier/v1/orders.proto

import type { Long } from '@grpc/proto-loader';

export interface OrderItemInput {
  'name'?: (string);
  'amount_cents'?: (number | string | Long);
  'product_id'?: (string);
  'product_slug'?: (string);
  'licence'?: (string);
  'pack'?: (string);
  'credits'?: (number | string | Long);
  'plan'?: (string);
  'tier'?: (string);
  /**
   * month or year, where it is paid by the period.
   */
  'interval'?: (string);
  '_product_id'?: "product_id";
  '_product_slug'?: "product_slug";
  '_licence'?: "licence";
  '_pack'?: "pack";
  '_credits'?: "credits";
  '_plan'?: "plan";
  '_tier'?: "tier";
  '_interval'?: "interval";
}

export interface OrderItem {
  'name': (string);
  'amount_cents': (number);
  'product_id'?: (string);
  'product_slug'?: (string);
  'licence'?: (string);
  'pack'?: (string);
  'credits'?: (number);
  'plan'?: (string);
  'tier'?: (string);
  /**
   * month or year, where it is paid by the period.
   */
  'interval'?: (string);
}
