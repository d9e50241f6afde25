// Original file: atelier/v1/subscriptions.proto

import type { SubscriptionInput as _atelier_v1_SubscriptionInput, Subscription as _atelier_v1_Subscription } from '../../atelier/v1/Subscription.ts';

export interface ListSubscriptionsReplyInput {
  'subscriptions'?: (_atelier_v1_SubscriptionInput)[];
}

export interface ListSubscriptionsReply {
  'subscriptions': (_atelier_v1_Subscription)[];
}
