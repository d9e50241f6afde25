// Original file: atelier/v1/jobs.proto

import type { SignedAccessInput as _atelier_v1_SignedAccessInput, SignedAccess as _atelier_v1_SignedAccess } from '../../atelier/v1/SignedAccess.ts';
import type { Long } from '@grpc/proto-loader';

export interface ReadInputRequestInput {
  'job_id'?: (string);
  /**
   * Name of the param.
   */
  'param'?: (string);
  /**
   * Set instead of caller metadata when the reader holds a signed URL.
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

export interface ReadInputRequest {
  'job_id': (string);
  /**
   * Name of the param.
   */
  'param': (string);
  /**
   * Set instead of caller metadata when the reader holds a signed URL.
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
