// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface ThumbnailInput {
  /**
   * Signed and expiring, as that of the output.
   */
  'url'?: (string);
  'mime_type'?: (string);
  'width'?: (number);
  'height'?: (number);
  'bytes'?: (number | string | Long);
}

export interface Thumbnail {
  /**
   * Signed and expiring, as that of the output.
   */
  'url': (string);
  'mime_type': (string);
  'width': (number);
  'height': (number);
  'bytes': (number);
}
