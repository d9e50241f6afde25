// Original file: atelier/v1/models.proto

import type { PlanInput as _atelier_v1_PlanInput, Plan as _atelier_v1_Plan } from '../../atelier/v1/Plan.ts';

export interface ListPlansReplyInput {
  'plans'?: (_atelier_v1_PlanInput)[];
}

export interface ListPlansReply {
  'plans': (_atelier_v1_Plan)[];
}
