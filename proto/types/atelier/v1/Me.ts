// Original file: atelier/v1/accounts.proto

import type { PlanInput as _atelier_v1_PlanInput, Plan as _atelier_v1_Plan } from '../../atelier/v1/Plan.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';
import type { JobCountsInput as _atelier_v1_JobCountsInput, JobCounts as _atelier_v1_JobCounts } from '../../atelier/v1/JobCounts.ts';
import type { Long } from '@grpc/proto-loader';

export interface MeInput {
  'account_id'?: (string);
  'plan'?: (_atelier_v1_PlanInput | null);
  /**
   * Absent for a signed-in person.
   */
  'key'?: (_atelier_v1_ApiKeyInput | null);
  'credits_available'?: (number | string | Long);
  'jobs'?: (_atelier_v1_JobCountsInput | null);
}

export interface Me {
  'account_id': (string);
  'plan': (_atelier_v1_Plan | null);
  /**
   * Absent for a signed-in person.
   */
  'key': (_atelier_v1_ApiKey | null);
  'credits_available': (number);
  'jobs': (_atelier_v1_JobCounts | null);
}
