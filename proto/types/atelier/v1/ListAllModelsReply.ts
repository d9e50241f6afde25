// Original file: atelier/v1/admin.proto

import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';
import type { AddModelRequestInput as _atelier_v1_AddModelRequestInput, AddModelRequest as _atelier_v1_AddModelRequest } from '../../atelier/v1/AddModelRequest.ts';

export interface ListAllModelsReplyInput {
  'models'?: (_atelier_v1_ModelInput)[];
  /**
   * The same models in the same order, as AddModel takes them.
   */
  'definitions'?: (_atelier_v1_AddModelRequestInput)[];
}

export interface ListAllModelsReply {
  'models': (_atelier_v1_Model)[];
  /**
   * The same models in the same order, as AddModel takes them.
   */
  'definitions': (_atelier_v1_AddModelRequest)[];
}
