// Original file: atelier/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface GrantCreditsRequestInput {
  'account'?: (string);
  /**
   * Negative only with kind adjustment.
   */
  'amount'?: (number | string | Long);
  /**
   * grant, purchase or adjustment.
   */
  'kind'?: (string);
  'memo'?: (string);
  /**
   * The same key never grants twice.
   */
  'idempotency_key'?: (string);
  /**
   * When what is left of a grant expires. RFC 3339. Without it, never.
   */
  'expires_at'?: (string);
  '_idempotency_key'?: "idempotency_key";
  '_expires_at'?: "expires_at";
}

export interface GrantCreditsRequest {
  'account': (string);
  /**
   * Negative only with kind adjustment.
   */
  'amount': (number);
  /**
   * grant, purchase or adjustment.
   */
  'kind': (string);
  'memo': (string);
  /**
   * The same key never grants twice.
   */
  'idempotency_key'?: (string);
  /**
   * When what is left of a grant expires. RFC 3339. Without it, never.
   */
  'expires_at'?: (string);
}
