// Original file: atelier/v1/library.proto

import type { SignedAccessInput as _atelier_v1_SignedAccessInput, SignedAccess as _atelier_v1_SignedAccess } from '../../atelier/v1/SignedAccess.ts';
import type { Long } from '@grpc/proto-loader';

export interface ReadProductFileRequestInput {
  'file_id'?: (string);
  /**
   * Set instead of caller metadata when the reader holds a link.
   */
  'signed'?: (_atelier_v1_SignedAccessInput | null);
  /**
   * First byte. Negative counts from the end.
   */
  'offset'?: (number | string | Long);
  /**
   * 0 means to the end.
   */
  'length'?: (number | string | Long);
  /**
   * Answer with the head alone.
   */
  'head_only'?: (boolean);
}

export interface ReadProductFileRequest {
  'file_id': (string);
  /**
   * Set instead of caller metadata when the reader holds a link.
   */
  'signed': (_atelier_v1_SignedAccess | null);
  /**
   * First byte. Negative counts from the end.
   */
  'offset': (number);
  /**
   * 0 means to the end.
   */
  'length': (number);
  /**
   * Answer with the head alone.
   */
  'head_only': (boolean);
}
