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
  '_expires_at'?: "expires_at";
  '_max_credits'?: "max_credits";
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
}
