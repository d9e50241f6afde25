// Original file: atelier/v1/memberships.proto

import type { TierInput as _atelier_v1_TierInput, Tier as _atelier_v1_Tier } from '../../atelier/v1/Tier.ts';

export interface ListTiersReplyInput {
  'tiers'?: (_atelier_v1_TierInput)[];
}

export interface ListTiersReply {
  'tiers': (_atelier_v1_Tier)[];
}
