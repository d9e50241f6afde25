// Original file: atelier/v1/catalog.proto


export interface FindOffersRequestInput {
  /**
   * Ids or slugs of products, at most 100.
   */
  'products'?: (string)[];
}

export interface FindOffersRequest {
  /**
   * Ids or slugs of products, at most 100.
   */
  'products': (string)[];
}
