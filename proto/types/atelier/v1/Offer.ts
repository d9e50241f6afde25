// Original file: atelier/v1/subscriptions.proto

import type { Long } from '@grpc/proto-loader';

export interface OfferInput {
  'what'?: (string);
  'interval'?: (string);
  'price_cents'?: (number | string | Long);
}

export interface Offer {
  'what': (string);
  'interval': (string);
  'price_cents': (number);
}
