// Original file: atelier/v1/admin.proto

import type { BulkLeftInput as _atelier_v1_BulkLeftInput, BulkLeft as _atelier_v1_BulkLeft } from '../../atelier/v1/BulkLeft.ts';
import type { Long } from '@grpc/proto-loader';

export interface BulkResultInput {
  'acted'?: (number);
  'credits'?: (number | string | Long);
  /**
   * The most frequent reason first.
   */
  'left'?: (_atelier_v1_BulkLeftInput)[];
}

export interface BulkResult {
  'acted': (number);
  'credits': (number);
  /**
   * The most frequent reason first.
   */
  'left': (_atelier_v1_BulkLeft)[];
}
