// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface KeySpendingInput {
  'key_id'?: (string);
  /**
   * Made in this calendar month (UTC), and in the last 30 days.
   */
  'month_jobs'?: (number);
  'recent_jobs'?: (number);
  /**
   * What they cost, without what was given back.
   */
  'month_credits'?: (number | string | Long);
  'recent_credits'?: (number | string | Long);
}

export interface KeySpending {
  'key_id': (string);
  /**
   * Made in this calendar month (UTC), and in the last 30 days.
   */
  'month_jobs': (number);
  'recent_jobs': (number);
  /**
   * What they cost, without what was given back.
   */
  'month_credits': (number);
  'recent_credits': (number);
}
