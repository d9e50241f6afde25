// Original file: atelier/v1/uploads.proto

import type { Long } from '@grpc/proto-loader';

export interface UploadInput {
  'upload_id'?: (string);
  /**
   * image, audio or video, by its content.
   */
  'kind'?: (string);
  'mime_type'?: (string);
  /**
   * Of the file as it is kept.
   */
  'bytes'?: (number | string | Long);
  'sha256'?: (string);
  'width'?: (number);
  'height'?: (number);
  'duration_seconds'?: (number | string);
  'expires_at'?: (string);
  '_width'?: "width";
  '_height'?: "height";
  '_duration_seconds'?: "duration_seconds";
}

export interface Upload {
  'upload_id': (string);
  /**
   * image, audio or video, by its content.
   */
  'kind': (string);
  'mime_type': (string);
  /**
   * Of the file as it is kept.
   */
  'bytes': (number);
  'sha256': (string);
  'width'?: (number);
  'height'?: (number);
  'duration_seconds'?: (number);
  'expires_at': (string);
}
