// Original file: atelier/v1/accounts.proto

import type { Long } from '@grpc/proto-loader';

export interface ApiKeyInput {
  'key_id'?: (string);
  'name'?: (string);
  'scope'?: (string);
  /**
   * Prefix and the last four characters.
   */
  'masked'?: (string);
  'created_at'?: (string);
  'expires_at'?: (string);
  'last_used_at'?: (string);
  'revoked_at'?: (string);
  /**
   * Of a key with a limit: that, and what its jobs have cost this month.
   */
  'max_credits'?: (number | string | Long);
  'credits_this_month'?: (number | string | Long);
  /**
   * key_id of the key that takes its place; this one ends at expires_at.
   */
  'replaced_by'?: (string);
  /**
   * Of a key that has to ask: above which price.
   */
  'confirm_above'?: (number | string | Long);
  '_expires_at'?: "expires_at";
  '_last_used_at'?: "last_used_at";
  '_revoked_at'?: "revoked_at";
  '_max_credits'?: "max_credits";
  '_credits_this_month'?: "credits_this_month";
  '_replaced_by'?: "replaced_by";
  '_confirm_above'?: "confirm_above";
}

export interface ApiKey {
  'key_id': (string);
  'name': (string);
  'scope': (string);
  /**
   * Prefix and the last four characters.
   */
  'masked': (string);
  'created_at': (string);
  'expires_at'?: (string);
  'last_used_at'?: (string);
  'revoked_at'?: (string);
  /**
   * Of a key with a limit: that, and what its jobs have cost this month.
   */
  'max_credits'?: (number);
  'credits_this_month'?: (number);
  /**
   * key_id of the key that takes its place; this one ends at expires_at.
   */
  'replaced_by'?: (string);
  /**
   * Of a key that has to ask: above which price.
   */
  'confirm_above'?: (number);
}
