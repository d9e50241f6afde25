// Original file: atelier/v1/library.proto

import type { Long } from '@grpc/proto-loader';

export interface FileFactsInput {
  'name'?: (string);
  'version'?: (string);
  'bytes'?: (number | string | Long);
}

export interface FileFacts {
  'name': (string);
  'version': (string);
  'bytes': (number);
}
