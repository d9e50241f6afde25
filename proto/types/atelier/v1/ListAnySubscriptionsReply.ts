// Original file: atelier/v1/admin.proto

import type { SubscriptionInput as _atelier_v1_SubscriptionInput, Subscription as _atelier_v1_Subscription } from '../../atelier/v1/Subscription.ts';

export interface ListAnySubscriptionsReplyInput {
  'subscriptions'?: (_atelier_v1_SubscriptionInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListAnySubscriptionsReply {
  'subscriptions': (_atelier_v1_Subscription)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
