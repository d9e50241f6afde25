// Original file: atelier/v1/admin.proto

import type { FoundInput as _atelier_v1_FoundInput, Found as _atelier_v1_Found } from '../../atelier/v1/Found.ts';

export interface FindReplyInput {
  'found'?: (_atelier_v1_FoundInput)[];
}

export interface FindReply {
  'found': (_atelier_v1_Found)[];
}
