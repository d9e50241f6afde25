// Original file: atelier/v1/memberships.proto

import type { Long } from '@grpc/proto-loader';

export interface TierInput {
  'tier'?: (string);
  'name'?: (string);
  /**
   * Whether it includes the member tools.
   */
  'member_tools'?: (boolean);
  /**
   * Whether plus_only products can be bought with it.
   */
  'plus_products'?: (boolean);
  /**
   * Absent: it is not sold by the month, or by the year.
   */
  'monthly_price_cents'?: (number | string | Long);
  'yearly_price_cents'?: (number | string | Long);
  '_monthly_price_cents'?: "monthly_price_cents";
  '_yearly_price_cents'?: "yearly_price_cents";
}

export interface Tier {
  'tier': (string);
  'name': (string);
  /**
   * Whether it includes the member tools.
   */
  'member_tools': (boolean);
  /**
   * Whether plus_only products can be bought with it.
   */
  'plus_products': (boolean);
  /**
   * Absent: it is not sold by the month, or by the year.
   */
  'monthly_price_cents'?: (number);
  'yearly_price_cents'?: (number);
}
