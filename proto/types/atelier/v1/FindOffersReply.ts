// Original file: atelier/v1/catalog.proto

import type { ProductOfferInput as _atelier_v1_ProductOfferInput, ProductOffer as _atelier_v1_ProductOffer } from '../../atelier/v1/ProductOffer.ts';

export interface FindOffersReplyInput {
  'offers'?: (_atelier_v1_ProductOfferInput)[];
}

export interface FindOffersReply {
  'offers': (_atelier_v1_ProductOffer)[];
}
