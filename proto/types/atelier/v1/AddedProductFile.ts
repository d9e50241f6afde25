// Original file: atelier/v1/admin.proto

import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from '../../atelier/v1/ProductFile.ts';

export interface AddedProductFileInput {
  'file'?: (_atelier_v1_ProductFileInput | null);
  /**
   * False: it was there already.
   */
  'added'?: (boolean);
}

export interface AddedProductFile {
  'file': (_atelier_v1_ProductFile | null);
  /**
   * False: it was there already.
   */
  'added': (boolean);
}
