// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface GenerateRequestInput {
  'modality'?: (string);
  'model_slug'?: (string);
  'prompt'?: (string);
  'callback_url'?: (string);
  /**
   * A JSON object, checked against the model's params schema. Empty means {}.
   */
  'params_json'?: (string);
  'metadata'?: ({[key: string]: string});
  'idempotency_key'?: (string);
  /**
   * Refuse the job where it would cost more: spend_limit_reached.
   */
  'max_credits'?: (number | string | Long);
  /**
   * From confirmation_required: the client has asked its person, who has said yes. For services that themselves ask.
   */
  'confirmation_id'?: (string);
  '_callback_url'?: "callback_url";
  '_idempotency_key'?: "idempotency_key";
  '_max_credits'?: "max_credits";
  '_confirmation_id'?: "confirmation_id";
}

export interface GenerateRequest {
  'modality': (string);
  'model_slug': (string);
  'prompt': (string);
  'callback_url'?: (string);
  /**
   * A JSON object, checked against the model's params schema. Empty means {}.
   */
  'params_json': (string);
  'metadata': ({[key: string]: string});
  'idempotency_key'?: (string);
  /**
   * Refuse the job where it would cost more: spend_limit_reached.
   */
  'max_credits'?: (number);
  /**
   * From confirmation_required: the client has asked its person, who has said yes. For services that themselves ask.
   */
  'confirmation_id'?: (string);
}
