// Original file: atelier/v1/accounts.proto

import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';

export interface ListKeysReplyInput {
  'keys'?: (_atelier_v1_ApiKeyInput)[];
}

export interface ListKeysReply {
  'keys': (_atelier_v1_ApiKey)[];
}
