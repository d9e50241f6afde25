// Original file: atelier/v1/admin.proto

import type { ProviderInput as _atelier_v1_ProviderInput, Provider as _atelier_v1_Provider } from '../../atelier/v1/Provider.ts';

export interface ListProvidersReplyInput {
  'providers'?: (_atelier_v1_ProviderInput)[];
}

export interface ListProvidersReply {
  'providers': (_atelier_v1_Provider)[];
}
