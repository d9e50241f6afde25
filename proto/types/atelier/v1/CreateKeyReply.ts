// Original file: atelier/v1/accounts.proto

import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';

export interface CreateKeyReplyInput {
  /**
   * The whole key. Shown in this answer only.
   */
  'secret'?: (string);
  'key'?: (_atelier_v1_ApiKeyInput | null);
}

export interface CreateKeyReply {
  /**
   * The whole key. Shown in this answer only.
   */
  'secret': (string);
  'key': (_atelier_v1_ApiKey | null);
}
