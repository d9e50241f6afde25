// Original file: atelier/v1/accounts.proto

import type { Long } from '@grpc/proto-loader';

export interface CreateKeyRequestInput {
  'name'?: (string);
  /**
   * read or write.
   */
  'scope'?: (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  /**
   * Most credits that jobs of this key may cost in a calendar month (UTC). Without it, no limit.
   */
  'max_credits'?: (number | string | Long);
  /**
   * A person has to confirm each request of this key that costs more. Without it, none.
   */
  'confirm_above'?: (number | string | Long);
  '_expires_at'?: "expires_at";
  '_max_credits'?: "max_credits";
  '_confirm_above'?: "confirm_above";
}

export interface CreateKeyRequest {
  'name': (string);
  /**
   * read or write.
   */
  'scope': (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  /**
   * Most credits that jobs of this key may cost in a calendar month (UTC). Without it, no limit.
   */
  'max_credits'?: (number);
  /**
   * A person has to confirm each request of this key that costs more. Without it, none.
   */
  'confirm_above'?: (number);
}
