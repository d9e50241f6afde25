// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface EstimateReplyInput {
  'modality'?: (string);
  'model_slug'?: (string);
  'credits'?: (number | string | Long);
  'units'?: (number | string);
  /**
   * What one unit is: generation, image or second.
   */
  'per'?: (string);
  'estimated_seconds'?: (number | string);
  /**
   * A JSON object: the params with defaults filled in. A seed that would be drawn is not among them.
   */
  'params_json'?: (string);
  'credits_available'?: (number | string | Long);
  /**
   * Whether credits_available covers it now.
   */
  'affordable'?: (boolean);
  /**
   * What the spending limit of the caller's key leaves this month. Absent where it has none.
   */
  'key_credits_left'?: (number | string | Long);
  /**
   * Whether a person has to confirm it first.
   */
  'needs_confirmation'?: (boolean);
  '_key_credits_left'?: "key_credits_left";
}

export interface EstimateReply {
  'modality': (string);
  'model_slug': (string);
  'credits': (number);
  'units': (number);
  /**
   * What one unit is: generation, image or second.
   */
  'per': (string);
  'estimated_seconds': (number);
  /**
   * A JSON object: the params with defaults filled in. A seed that would be drawn is not among them.
   */
  'params_json': (string);
  'credits_available': (number);
  /**
   * Whether credits_available covers it now.
   */
  'affordable': (boolean);
  /**
   * What the spending limit of the caller's key leaves this month. Absent where it has none.
   */
  'key_credits_left'?: (number);
  /**
   * Whether a person has to confirm it first.
   */
  'needs_confirmation': (boolean);
}
