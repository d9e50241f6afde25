// Original file: atelier/v1/admin.proto

import type { QueueStatusInput as _atelier_v1_QueueStatusInput, QueueStatus as _atelier_v1_QueueStatus } from '../../atelier/v1/QueueStatus.ts';
import type { PauseInput as _atelier_v1_PauseInput, Pause as _atelier_v1_Pause } from '../../atelier/v1/Pause.ts';

export interface StatusInput {
  'queue'?: (_atelier_v1_QueueStatusInput | null);
  'pauses'?: (_atelier_v1_PauseInput)[];
}

export interface Status {
  'queue': (_atelier_v1_QueueStatus | null);
  'pauses': (_atelier_v1_Pause)[];
}
