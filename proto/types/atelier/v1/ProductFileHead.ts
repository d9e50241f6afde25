// Original file: atelier/v1/library.proto

import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from '../../atelier/v1/ProductFile.ts';
import type { Long } from '@grpc/proto-loader';

export interface ProductFileHeadInput {
  'file'?: (_atelier_v1_ProductFileInput | null);
  /**
   * The range that follows, already clipped to the file.
   */
  'offset'?: (number | string | Long);
  'length'?: (number | string | Long);
}

export interface ProductFileHead {
  'file': (_atelier_v1_ProductFile | null);
  /**
   * The range that follows, already clipped to the file.
   */
  'offset': (number);
  'length': (number);
}
