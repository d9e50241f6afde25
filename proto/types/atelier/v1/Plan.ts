// Original file: atelier/v1/models.proto

import type { Long } from '@grpc/proto-loader';

export interface PlanInput {
  'plan'?: (string);
  'name'?: (string);
  'concurrency'?: (number);
  'api'?: (boolean);
  'monthly_credits'?: (number | string | Long);
}

export interface Plan {
  'plan': (string);
  'name': (string);
  'concurrency': (number);
  'api': (boolean);
  'monthly_credits': (number);
}
