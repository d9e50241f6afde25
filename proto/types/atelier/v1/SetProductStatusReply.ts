// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface SetProductStatusReplyInput {
  'slug'?: (string);
  'before'?: (string);
  'status'?: (string);
  'version'?: (number | string | Long);
}

export interface SetProductStatusReply {
  'slug': (string);
  'before': (string);
  'status': (string);
  'version': (number);
}
