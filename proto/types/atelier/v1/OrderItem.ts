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
  '_product_id'?: "product_id";
  '_product_slug'?: "product_slug";
  '_licence'?: "licence";
  '_pack'?: "pack";
  '_credits'?: "credits";
}

export interface OrderItem {
  'name': (string);
  'amount_cents': (number);
  'product_id'?: (string);
  'product_slug'?: (string);
  'licence'?: (string);
  'pack'?: (string);
  'credits'?: (number);
}
