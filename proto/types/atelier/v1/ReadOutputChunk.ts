// Original file: atelier/v1/jobs.proto

import type { OutputHeadInput as _atelier_v1_OutputHeadInput, OutputHead as _atelier_v1_OutputHead } from '../../atelier/v1/OutputHead.ts';

export interface ReadOutputChunkInput {
  'head'?: (_atelier_v1_OutputHeadInput | null);
  'data'?: (Buffer | Uint8Array | string);
}

export interface ReadOutputChunk {
  'head': (_atelier_v1_OutputHead | null);
  'data': (Buffer);
}
