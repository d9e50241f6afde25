// Original file: atelier/v1/library.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A file of a product, in one version.
 */
export interface ProductFileInput {
  'file_id'?: (string);
  'product_id'?: (string);
  'name'?: (string);
  'version'?: (string);
  'bytes'?: (number | string | Long);
  'media_type'?: (string);
  'sha256'?: (string);
  'added_at'?: (string);
}

/**
 * A file of a product, in one version.
 */
export interface ProductFile {
  'file_id': (string);
  'product_id': (string);
  'name': (string);
  'version': (string);
  'bytes': (number);
  'media_type': (string);
  'sha256': (string);
  'added_at': (string);
}
