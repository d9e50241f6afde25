// Original file: atelier/v1/admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ProvisionMemberKeyRequestInput {
  'account'?: (string);
  /**
   * What the key is for.
   */
  'name'?: (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  /**
   * As in CreateKeyRequest.
   */
  'max_credits'?: (number | string | Long);
  'confirm_above'?: (number | string | Long);
  '_expires_at'?: "expires_at";
  '_max_credits'?: "max_credits";
  '_confirm_above'?: "confirm_above";
}

export interface ProvisionMemberKeyRequest {
  'account': (string);
  /**
   * What the key is for.
   */
  'name': (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  /**
   * As in CreateKeyRequest.
   */
  'max_credits'?: (number);
  'confirm_above'?: (number);
}
