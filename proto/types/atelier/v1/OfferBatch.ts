// Original file: atelier/v1/catalog.proto

import type { ProductOfferInput as _atelier_v1_ProductOfferInput, ProductOffer as _atelier_v1_ProductOffer } from '../../atelier/v1/ProductOffer.ts';

export interface OfferBatchInput {
  /**
   * As in CatalogState, at the beginning of the stream.
   */
  'revision'?: (string);
  /**
   * Whether this installation takes payments: where it does not, only what is free can be bought.
   */
  'takes_payments'?: (boolean);
  'offers'?: (_atelier_v1_ProductOfferInput)[];
}

export interface OfferBatch {
  /**
   * As in CatalogState, at the beginning of the stream.
   */
  'revision': (string);
  /**
   * Whether this installation takes payments: where it does not, only what is free can be bought.
   */
  'takes_payments': (boolean);
  'offers': (_atelier_v1_ProductOffer)[];
}
