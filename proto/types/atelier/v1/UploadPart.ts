// Original file: atelier/v1/uploads.proto

import type { UploadAccessInput as _atelier_v1_UploadAccessInput, UploadAccess as _atelier_v1_UploadAccess } from '../../atelier/v1/UploadAccess.ts';

export interface UploadPartInput {
  /**
   * In the first part, where the bytes are those of an address that was given out.
   */
  'upload_id'?: (string);
  /**
   * Set instead of caller metadata when the sender holds a signed address.
   */
  'signed'?: (_atelier_v1_UploadAccessInput | null);
  'data'?: (Buffer | Uint8Array | string);
}

export interface UploadPart {
  /**
   * In the first part, where the bytes are those of an address that was given out.
   */
  'upload_id': (string);
  /**
   * Set instead of caller metadata when the sender holds a signed address.
   */
  'signed': (_atelier_v1_UploadAccess | null);
  'data': (Buffer);
}
