// Original file: atelier/v1/credits.proto

import type { Long } from '@grpc/proto-loader';

export interface LowCreditsInput {
  /**
   * Absent: never.
   */
  'below'?: (number | string | Long);
  '_below'?: "below";
}

export interface LowCredits {
  /**
   * Absent: never.
   */
  'below'?: (number);
}
