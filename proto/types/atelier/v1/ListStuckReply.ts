// Original file: atelier/v1/admin.proto

import type { StuckInput as _atelier_v1_StuckInput, Stuck as _atelier_v1_Stuck } from '../../atelier/v1/Stuck.ts';

export interface ListStuckReplyInput {
  'stuck'?: (_atelier_v1_StuckInput)[];
}

export interface ListStuckReply {
  'stuck': (_atelier_v1_Stuck)[];
}
