// Original file: atelier/v1/admin.proto

import type { CreateKeyRequestInput as _atelier_v1_CreateKeyRequestInput, CreateKeyRequest as _atelier_v1_CreateKeyRequest } from '../../atelier/v1/CreateKeyRequest.ts';

export interface CreateAccountKeyRequestInput {
  'account'?: (string);
  'key'?: (_atelier_v1_CreateKeyRequestInput | null);
}

export interface CreateAccountKeyRequest {
  'account': (string);
  'key': (_atelier_v1_CreateKeyRequest | null);
}
