// Original file: atelier/v1/admin.proto

import type { ProductFileHeadlineInput as _atelier_v1_ProductFileHeadlineInput, ProductFileHeadline as _atelier_v1_ProductFileHeadline } from '../../atelier/v1/ProductFileHeadline.ts';

export interface AddProductFilePartInput {
  /**
   * In the first message only.
   */
  'headline'?: (_atelier_v1_ProductFileHeadlineInput | null);
  /**
   * At most 256 KiB.
   */
  'data'?: (Buffer | Uint8Array | string);
}

export interface AddProductFilePart {
  /**
   * In the first message only.
   */
  'headline': (_atelier_v1_ProductFileHeadline | null);
  /**
   * At most 256 KiB.
   */
  'data': (Buffer);
}
