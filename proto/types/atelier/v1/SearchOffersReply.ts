// Original file: atelier/v1/catalog.proto

import type { ProductOfferInput as _atelier_v1_ProductOfferInput, ProductOffer as _atelier_v1_ProductOffer } from '../../atelier/v1/ProductOffer.ts';
import type { Long } from '@grpc/proto-loader';

export interface SearchOffersReplyInput {
  /**
   * At most `limit`; fewer, even none, does not mean that there are no more.
   */
  'offers'?: (_atelier_v1_ProductOfferInput)[];
  /**
   * Where to go on; 0 at the end.
   */
  'next_offset'?: (number | string | Long);
}

export interface SearchOffersReply {
  /**
   * At most `limit`; fewer, even none, does not mean that there are no more.
   */
  'offers': (_atelier_v1_ProductOffer)[];
  /**
   * Where to go on; 0 at the end.
   */
  'next_offset': (number);
}
