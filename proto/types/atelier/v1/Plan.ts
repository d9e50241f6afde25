// Original file: atelier/v1/models.proto

import type { Long } from '@grpc/proto-loader';

export interface PlanInput {
  'plan'?: (string);
  'name'?: (string);
  'concurrency'?: (number);
  'api'?: (boolean);
  'monthly_credits'?: (number | string | Long);
  /**
   * A month; absent: it is not sold.
   */
  'price_usd'?: (number | string);
  '_price_usd'?: "price_usd";
}

export interface Plan {
  'plan': (string);
  'name': (string);
  'concurrency': (number);
  'api': (boolean);
  'monthly_credits': (number);
  /**
   * A month; absent: it is not sold.
   */
  'price_usd'?: (number);
}
