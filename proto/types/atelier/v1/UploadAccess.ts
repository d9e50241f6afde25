// Original file: atelier/v1/uploads.proto

import type { Long } from '@grpc/proto-loader';

export interface UploadAccessInput {
  'account'?: (string);
  'expires'?: (number | string | Long);
  'signature'?: (string);
}

export interface UploadAccess {
  'account': (string);
  'expires': (number);
  'signature': (string);
}
