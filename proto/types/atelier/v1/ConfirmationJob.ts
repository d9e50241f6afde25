// Original file: atelier/v1/accounts.proto


export interface ConfirmationJobInput {
  'modality'?: (string);
  'model_slug'?: (string);
  'prompt'?: (string);
  /**
   * A JSON object, with the model's defaults.
   */
  'params_json'?: (string);
  'callback_url'?: (string);
  '_callback_url'?: "callback_url";
}

export interface ConfirmationJob {
  'modality': (string);
  'model_slug': (string);
  'prompt': (string);
  /**
   * A JSON object, with the model's defaults.
   */
  'params_json': (string);
  'callback_url'?: (string);
}
