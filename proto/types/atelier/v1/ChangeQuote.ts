// Original file: atelier/v1/subscriptions.proto

import type { OfferInput as _atelier_v1_OfferInput, Offer as _atelier_v1_Offer } from '../../atelier/v1/Offer.ts';
import type { Long } from '@grpc/proto-loader';

export interface ChangeQuoteInput {
  'offer'?: (_atelier_v1_OfferInput | null);
  'name'?: (string);
  /**
   * now or period_end.
   */
  'when'?: (string);
  'due_cents'?: (number | string | Long);
  'unused_cents'?: (number | string | Long);
}

export interface ChangeQuote {
  'offer': (_atelier_v1_Offer | null);
  'name': (string);
  /**
   * now or period_end.
   */
  'when': (string);
  'due_cents': (number);
  'unused_cents': (number);
}
