// Original file: atelier/v1/admin.proto

import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';
import type { ModelFallbackInput as _atelier_v1_ModelFallbackInput, ModelFallback as _atelier_v1_ModelFallback } from '../../atelier/v1/ModelFallback.ts';

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
  /**
   * Asked in this order where the model's own provider fails or may not be called.
   */
  'fallbacks'?: (_atelier_v1_ModelFallbackInput)[];
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
  /**
   * Asked in this order where the model's own provider fails or may not be called.
   */
  'fallbacks': (_atelier_v1_ModelFallback)[];
}
