// Original file: atelier/v1/memberships.proto

import type { Long } from '@grpc/proto-loader';

export interface MembershipInput {
  'account_id'?: (string);
  /**
   * active, lapsed, or none when the account never had one.
   */
  'status'?: (string);
  /**
   * Absent together when the account never had one.
   */
  'tier'?: (string);
  'tier_name'?: (string);
  /**
   * Since when it has been active without a gap. RFC 3339.
   */
  'started_at'?: (string);
  /**
   * Active until then; in the past once it has lapsed. RFC 3339.
   */
  'current_period_end'?: (string);
  /**
   * Active, and of a tier that includes the member tools.
   */
  'eligible'?: (boolean);
  /**
   * Active, and of a tier with which plus_only products can be bought.
   */
  'plus_products'?: (boolean);
  'plan'?: (string);
  'plan_name'?: (string);
  'plan_includes_api'?: (boolean);
  /**
   * Jobs that run at a time.
   */
  'concurrency'?: (number);
  'monthly_credits'?: (number | string | Long);
  '_tier'?: "tier";
  '_tier_name'?: "tier_name";
  '_started_at'?: "started_at";
  '_current_period_end'?: "current_period_end";
}

export interface Membership {
  'account_id': (string);
  /**
   * active, lapsed, or none when the account never had one.
   */
  'status': (string);
  /**
   * Absent together when the account never had one.
   */
  'tier'?: (string);
  'tier_name'?: (string);
  /**
   * Since when it has been active without a gap. RFC 3339.
   */
  'started_at'?: (string);
  /**
   * Active until then; in the past once it has lapsed. RFC 3339.
   */
  'current_period_end'?: (string);
  /**
   * Active, and of a tier that includes the member tools.
   */
  'eligible': (boolean);
  /**
   * Active, and of a tier with which plus_only products can be bought.
   */
  'plus_products': (boolean);
  'plan': (string);
  'plan_name': (string);
  'plan_includes_api': (boolean);
  /**
   * Jobs that run at a time.
   */
  'concurrency': (number);
  'monthly_credits': (number);
}
