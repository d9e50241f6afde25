// Original file: atelier/v1/jobs.proto


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
  '_callback_url'?: "callback_url";
  '_idempotency_key'?: "idempotency_key";
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
}
