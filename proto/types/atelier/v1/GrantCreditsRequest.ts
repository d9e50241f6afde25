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
  '_idempotency_key'?: "idempotency_key";
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
}
