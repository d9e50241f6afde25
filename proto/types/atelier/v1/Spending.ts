// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface SpendingInput {
  /**
   * The day on which the jobs started, in UTC, as 2026-01-31.
   */
  'day'?: (string);
  'model_slug'?: (string);
  'credits'?: (number | string | Long);
  'jobs'?: (number);
}

export interface Spending {
  /**
   * The day on which the jobs started, in UTC, as 2026-01-31.
   */
  'day': (string);
  'model_slug': (string);
  'credits': (number);
  'jobs': (number);
}
