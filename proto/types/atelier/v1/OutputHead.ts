// Original file: atelier/v1/jobs.proto

import type { Long } from '@grpc/proto-loader';

export interface OutputHeadInput {
  'mime_type'?: (string);
  'bytes'?: (number | string | Long);
  'sha256'?: (string);
  /**
   * The range that follows, already clipped to the file.
   */
  'offset'?: (number | string | Long);
  'length'?: (number | string | Long);
  'expires_at'?: (string);
  /**
   * What an output is named after, where the head alone was asked for: the beginning of the prompt, and which of the job's files it is, from 1.
   */
  'prompt'?: (string);
  'ordinal'?: (number);
}

export interface OutputHead {
  'mime_type': (string);
  'bytes': (number);
  'sha256': (string);
  /**
   * The range that follows, already clipped to the file.
   */
  'offset': (number);
  'length': (number);
  'expires_at': (string);
  /**
   * What an output is named after, where the head alone was asked for: the beginning of the prompt, and which of the job's files it is, from 1.
   */
  'prompt': (string);
  'ordinal': (number);
}
