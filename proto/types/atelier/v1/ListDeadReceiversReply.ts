// Original file: atelier/v1/admin.proto

import type { DeadReceiverInput as _atelier_v1_DeadReceiverInput, DeadReceiver as _atelier_v1_DeadReceiver } from '../../atelier/v1/DeadReceiver.ts';

export interface ListDeadReceiversReplyInput {
  'receivers'?: (_atelier_v1_DeadReceiverInput)[];
}

export interface ListDeadReceiversReply {
  'receivers': (_atelier_v1_DeadReceiver)[];
}
