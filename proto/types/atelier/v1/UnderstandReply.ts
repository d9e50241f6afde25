// Original file: atelier/v1/jobs.proto

import type { UnderstoodInput as _atelier_v1_UnderstoodInput, Understood as _atelier_v1_Understood } from '../../atelier/v1/Understood.ts';

export interface UnderstandReplyInput {
  'understood'?: (_atelier_v1_UnderstoodInput | null);
}

export interface UnderstandReply {
  'understood': (_atelier_v1_Understood | null);
}
