// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface TagInput {
  'slug'?: (string);
  'name'?: (string);
  'products'?: (number | string | Long);
}

export interface Tag {
  'slug': (string);
  'name': (string);
  'products': (number);
}
