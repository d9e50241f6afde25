// Original file: atelier/v1/models.proto

import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';

export interface ListModelsReplyInput {
  'models'?: (_atelier_v1_ModelInput)[];
}

export interface ListModelsReply {
  'models': (_atelier_v1_Model)[];
}
