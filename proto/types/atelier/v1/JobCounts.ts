// Original file: atelier/v1/accounts.proto

import type { Long } from '@grpc/proto-loader';

export interface JobCountsInput {
  /**
   * In state reserved.
   */
  'waiting'?: (number | string | Long);
  /**
   * Slots of the plan that are used.
   */
  'running'?: (number | string | Long);
}

export interface JobCounts {
  /**
   * In state reserved.
   */
  'waiting': (number);
  /**
   * Slots of the plan that are used.
   */
  'running': (number);
}
