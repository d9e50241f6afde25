// Original file: atelier/v1/admin.proto

import type { DeadDeliveryInput as _atelier_v1_DeadDeliveryInput, DeadDelivery as _atelier_v1_DeadDelivery } from '../../atelier/v1/DeadDelivery.ts';

export interface ListDeadDeliveriesReplyInput {
  'deliveries'?: (_atelier_v1_DeadDeliveryInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListDeadDeliveriesReply {
  'deliveries': (_atelier_v1_DeadDelivery)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
