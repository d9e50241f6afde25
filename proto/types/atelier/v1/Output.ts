// Original file: atelier/v1/jobs.proto

import type { UnderstoodInput as _atelier_v1_UnderstoodInput, Understood as _atelier_v1_Understood } from '../../atelier/v1/Understood.ts';
import type { ThumbnailInput as _atelier_v1_ThumbnailInput, Thumbnail as _atelier_v1_Thumbnail } from '../../atelier/v1/Thumbnail.ts';
import type { Long } from '@grpc/proto-loader';

export interface OutputInput {
  'output_id'?: (string);
  /**
   * Signed and expiring; also answers to the account's key.
   */
  'url'?: (string);
  'mime_type'?: (string);
  'bytes'?: (number | string | Long);
  'sha256'?: (string);
  'width'?: (number);
  'height'?: (number);
  'duration_seconds'?: (number | string);
  'expires_at'?: (string);
  /**
   * Where the provider tells.
   */
  'understood'?: (_atelier_v1_UnderstoodInput | null);
  /**
   * Small pictures of it, narrowest first; none of what is no picture.
   */
  'thumbnails'?: (_atelier_v1_ThumbnailInput)[];
  /**
   * Its owner had the file removed then.
   */
  'deleted_at'?: (string);
  /**
   * signed, unsupported, failed or off; absent for files from before outputs were signed.
   */
  'content_credentials'?: (string);
  '_width'?: "width";
  '_height'?: "height";
  '_duration_seconds'?: "duration_seconds";
  '_deleted_at'?: "deleted_at";
  '_content_credentials'?: "content_credentials";
}

export interface Output {
  'output_id': (string);
  /**
   * Signed and expiring; also answers to the account's key.
   */
  'url': (string);
  'mime_type': (string);
  'bytes': (number);
  'sha256': (string);
  'width'?: (number);
  'height'?: (number);
  'duration_seconds'?: (number);
  'expires_at': (string);
  /**
   * Where the provider tells.
   */
  'understood': (_atelier_v1_Understood | null);
  /**
   * Small pictures of it, narrowest first; none of what is no picture.
   */
  'thumbnails': (_atelier_v1_Thumbnail)[];
  /**
   * Its owner had the file removed then.
   */
  'deleted_at'?: (string);
  /**
   * signed, unsupported, failed or off; absent for files from before outputs were signed.
   */
  'content_credentials'?: (string);
}
