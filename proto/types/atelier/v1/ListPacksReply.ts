// Original file: atelier/v1/orders.proto

import type { CreditPackInput as _atelier_v1_CreditPackInput, CreditPack as _atelier_v1_CreditPack } from '../../atelier/v1/CreditPack.ts';

export interface ListPacksReplyInput {
  'packs'?: (_atelier_v1_CreditPackInput)[];
}

export interface ListPacksReply {
  'packs': (_atelier_v1_CreditPack)[];
}
