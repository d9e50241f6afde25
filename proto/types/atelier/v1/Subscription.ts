// Original file: atelier/v1/subscriptions.proto

import type { OfferInput as _atelier_v1_OfferInput, Offer as _atelier_v1_Offer } from '../../atelier/v1/Offer.ts';
import type { SubscriptionEventInput as _atelier_v1_SubscriptionEventInput, SubscriptionEvent as _atelier_v1_SubscriptionEvent } from '../../atelier/v1/SubscriptionEvent.ts';
import type { Long } from '@grpc/proto-loader';

export interface SubscriptionInput {
  'subscription_id'?: (string);
  'kind'?: (string);
  'what'?: (string);
  'name'?: (string);
  'interval'?: (string);
  'price_cents'?: (number | string | Long);
  'currency'?: (string);
  'state'?: (string);
  'period_start'?: (string);
  'period_end'?: (string);
  'grace_until'?: (string);
  'is_suspended'?: (boolean);
  'is_changing'?: (boolean);
  'next_change'?: (_atelier_v1_OfferInput | null);
  'created_at'?: (string);
  'ended_at'?: (string);
  'events'?: (_atelier_v1_SubscriptionEventInput)[];
  /**
   * For operators.
   */
  'account_id'?: (string);
  'provider'?: (string);
  'provider_ref'?: (string);
  '_grace_until'?: "grace_until";
  '_next_change'?: "next_change";
  '_ended_at'?: "ended_at";
}

export interface Subscription {
  'subscription_id': (string);
  'kind': (string);
  'what': (string);
  'name': (string);
  'interval': (string);
  'price_cents': (number);
  'currency': (string);
  'state': (string);
  'period_start': (string);
  'period_end': (string);
  'grace_until'?: (string);
  'is_suspended': (boolean);
  'is_changing': (boolean);
  'next_change'?: (_atelier_v1_Offer | null);
  'created_at': (string);
  'ended_at'?: (string);
  'events': (_atelier_v1_SubscriptionEvent)[];
  /**
   * For operators.
   */
  'account_id': (string);
  'provider': (string);
  'provider_ref': (string);
}
