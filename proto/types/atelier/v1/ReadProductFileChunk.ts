// Original file: atelier/v1/library.proto

import type { ProductFileHeadInput as _atelier_v1_ProductFileHeadInput, ProductFileHead as _atelier_v1_ProductFileHead } from '../../atelier/v1/ProductFileHead.ts';

export interface ReadProductFileChunkInput {
  'head'?: (_atelier_v1_ProductFileHeadInput | null);
  'data'?: (Buffer | Uint8Array | string);
}

export interface ReadProductFileChunk {
  'head': (_atelier_v1_ProductFileHead | null);
  'data': (Buffer);
}
