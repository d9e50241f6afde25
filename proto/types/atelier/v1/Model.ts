// Original file: atelier/v1/models.proto

import type { Long } from '@grpc/proto-loader';

export interface ModelInput {
  'model_slug'?: (string);
  'name'?: (string);
  'modality'?: (string);
  'description'?: (string);
  /**
   * Price of one unit.
   */
  'credits'?: (number | string | Long);
  /**
   * generation, image or second.
   */
  'per'?: (string);
  'estimated_seconds'?: (number | string);
  'max_prompt_length'?: (number);
  'params_schema_json'?: (string);
  /**
   * live, paused or retired.
   */
  'status'?: (string);
  'provider'?: (string);
}

export interface Model {
  'model_slug': (string);
  'name': (string);
  'modality': (string);
  'description': (string);
  /**
   * Price of one unit.
   */
  'credits': (number);
  /**
   * generation, image or second.
   */
  'per': (string);
  'estimated_seconds': (number);
  'max_prompt_length': (number);
  'params_schema_json': (string);
  /**
   * live, paused or retired.
   */
  'status': (string);
  'provider': (string);
}
