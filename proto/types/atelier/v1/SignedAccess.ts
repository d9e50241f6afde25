// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface SignedAccessInput {
  'account'?: (string);
  'expires'?: (number | string | Long);
  'signature'?: (string);
}

export interface SignedAccess {
  'account': (string);
  'expires': (number);
  'signature': (string);
}
