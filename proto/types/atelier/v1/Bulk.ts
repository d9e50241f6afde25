// Original file: atelier/v1/admin.proto

import type { BulkResultInput as _atelier_v1_BulkResultInput, BulkResult as _atelier_v1_BulkResult } from '../../atelier/v1/BulkResult.ts';
import type { Long } from '@grpc/proto-loader';

export interface BulkInput {
  'bulk_id'?: (string);
  'act'?: (string);
  /**
   * What was asked for, in words.
   */
  'selection'?: (string);
  /**
   * Who made the dry run.
   */
  'operator'?: (string);
  'items'?: (number);
  /**
   * What the dry run said.
   */
  'planned'?: (_atelier_v1_BulkResultInput | null);
  /**
   * Of the credits that would come back, those whose grants have expired: they come back for 30 days.
   */
  'revived_credits'?: (number | string | Long);
  /**
   * The first few of those that it would be done to.
   */
  'sample'?: (string)[];
  'created_at'?: (string);
  /**
   * Absent until somebody acts.
   */
  'started_at'?: (string);
  /**
   * Absent until all was done.
   */
  'ended_at'?: (string);
  /**
   * What has been done so far.
   */
  'done'?: (_atelier_v1_BulkResultInput | null);
  '_started_at'?: "started_at";
  '_ended_at'?: "ended_at";
}

export interface Bulk {
  'bulk_id': (string);
  'act': (string);
  /**
   * What was asked for, in words.
   */
  'selection': (string);
  /**
   * Who made the dry run.
   */
  'operator': (string);
  'items': (number);
  /**
   * What the dry run said.
   */
  'planned': (_atelier_v1_BulkResult | null);
  /**
   * Of the credits that would come back, those whose grants have expired: they come back for 30 days.
   */
  'revived_credits': (number);
  /**
   * The first few of those that it would be done to.
   */
  'sample': (string)[];
  'created_at': (string);
  /**
   * Absent until somebody acts.
   */
  'started_at'?: (string);
  /**
   * Absent until all was done.
   */
  'ended_at'?: (string);
  /**
   * What has been done so far.
   */
  'done': (_atelier_v1_BulkResult | null);
}
