// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface PricingTierInput {
  'pricing_tier'?: (string);
  'products'?: (number | string | Long);
}

export interface PricingTier {
  'pricing_tier': (string);
  'products': (number);
}
