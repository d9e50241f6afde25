// Original file: atelier/v1/admin.proto

import type { CreditPackInput as _atelier_v1_CreditPackInput, CreditPack as _atelier_v1_CreditPack } from '../../atelier/v1/CreditPack.ts';

export interface ListCreditPacksReplyInput {
  'packs'?: (_atelier_v1_CreditPackInput)[];
}

export interface ListCreditPacksReply {
  'packs': (_atelier_v1_CreditPack)[];
}
