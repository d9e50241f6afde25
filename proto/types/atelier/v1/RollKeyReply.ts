// Original file: atelier/v1/accounts.proto

import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';

export interface RollKeyReplyInput {
  /**
   * The whole new key. Shown in this answer only.
   */
  'secret'?: (string);
  'key'?: (_atelier_v1_ApiKeyInput | null);
  /**
   * The one that it takes the place of.
   */
  'old'?: (_atelier_v1_ApiKeyInput | null);
}

export interface RollKeyReply {
  /**
   * The whole new key. Shown in this answer only.
   */
  'secret': (string);
  'key': (_atelier_v1_ApiKey | null);
  /**
   * The one that it takes the place of.
   */
  'old': (_atelier_v1_ApiKey | null);
}
