// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface GenerateReplyInput {
  'job_id'?: (string);
  'state'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  'credits_reserved'?: (number | string | Long);
  'estimated_seconds'?: (number | string);
  /**
   * True when an earlier request with the same Idempotency-Key made this job and nothing was written now.
   */
  'replayed'?: (boolean);
}

export interface GenerateReply {
  'job_id': (string);
  'state': (string);
  'modality': (string);
  'model_slug': (string);
  'credits_reserved': (number);
  'estimated_seconds': (number);
  /**
   * True when an earlier request with the same Idempotency-Key made this job and nothing was written now.
   */
  'replayed': (boolean);
}
