// Original file: atelier/v1/admin.proto

import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';

export interface AddModelRequestInput {
  'model'?: (_atelier_v1_ModelInput | null);
  /**
   * The provider's own name of the model.
   */
  'provider_model'?: (string);
  'run_timeout_seconds'?: (number);
  /**
   * What a provider gets beside the prompt: a JSON object.
   */
  'provider_options_json'?: (string);
}

export interface AddModelRequest {
  'model': (_atelier_v1_Model | null);
  /**
   * The provider's own name of the model.
   */
  'provider_model': (string);
  'run_timeout_seconds': (number);
  /**
   * What a provider gets beside the prompt: a JSON object.
   */
  'provider_options_json': (string);
}
