// Original file: atelier/v1/accounts.proto

import type { Long } from '@grpc/proto-loader';

export interface ChangeKeyRequestInput {
  'key_id'?: (string);
  /**
   * What is absent stays as it is.
   */
  'name'?: (string);
  'max_credits'?: (number | string | Long);
  /**
   * Takes the limit away.
   */
  'no_limit'?: (boolean);
  'confirm_above'?: (number | string | Long);
  /**
   * Nothing needs to be confirmed any more.
   */
  'no_confirmation'?: (boolean);
  '_name'?: "name";
  '_max_credits'?: "max_credits";
  '_confirm_above'?: "confirm_above";
}

export interface ChangeKeyRequest {
  'key_id': (string);
  /**
   * What is absent stays as it is.
   */
  'name'?: (string);
  'max_credits'?: (number);
  /**
   * Takes the limit away.
   */
  'no_limit': (boolean);
  'confirm_above'?: (number);
  /**
   * Nothing needs to be confirmed any more.
   */
  'no_confirmation': (boolean);
}
