// Original file: atelier/v1/credits.proto

import type { Long } from '@grpc/proto-loader';

export interface ExpiringGrantInput {
  /**
   * entry_id of the grant.
   */
  'grant_id'?: (string);
  /**
   * monthly, for what the plan includes, or other.
   */
  'kind'?: (string);
  /**
   * Still to spend.
   */
  'left'?: (number | string | Long);
  'expires_at'?: (string);
}

export interface ExpiringGrant {
  /**
   * entry_id of the grant.
   */
  'grant_id': (string);
  /**
   * monthly, for what the plan includes, or other.
   */
  'kind': (string);
  /**
   * Still to spend.
   */
  'left': (number);
  'expires_at': (string);
}
