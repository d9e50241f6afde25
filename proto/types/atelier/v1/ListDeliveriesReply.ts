// Original file: atelier/v1/callbacks.proto

import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from '../../atelier/v1/Delivery.ts';

export interface ListDeliveriesReplyInput {
  'deliveries'?: (_atelier_v1_DeliveryInput)[];
}

export interface ListDeliveriesReply {
  'deliveries': (_atelier_v1_Delivery)[];
}
