// Original file: atelier/v1/orders.proto

import type { Long } from '@grpc/proto-loader';

export interface CreditPackInput {
  'pack'?: (string);
  'credits'?: (number | string | Long);
  'price_cents'?: (number | string | Long);
  'active'?: (boolean);
}

export interface CreditPack {
  'pack': (string);
  'credits': (number);
  'price_cents': (number);
  'active': (boolean);
}
