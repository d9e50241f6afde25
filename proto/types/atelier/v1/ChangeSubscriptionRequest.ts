// Original file: atelier/v1/subscriptions.proto

import type { Long } from '@grpc/proto-loader';

export interface ChangeSubscriptionRequestInput {
  /**
   * plan or membership.
   */
  'kind'?: (string);
  /**
   * The plan, or the tier of membership.
   */
  'what'?: (string);
  /**
   * month or year.
   */
  'interval'?: (string);
  /**
   * Of a period, as the person saw it; not looked at for a quote.
   */
  'expected_cents'?: (number | string | Long);
}

export interface ChangeSubscriptionRequest {
  /**
   * plan or membership.
   */
  'kind': (string);
  /**
   * The plan, or the tier of membership.
   */
  'what': (string);
  /**
   * month or year.
   */
  'interval': (string);
  /**
   * Of a period, as the person saw it; not looked at for a quote.
   */
  'expected_cents': (number);
}
