// Original file: atelier/v1/catalog.proto


export interface ListOffersRequestInput {
  /**
   * From 1 to `shards`, which is from 1 to 1,000: a product lies in the same one for as long as there are so many.
   */
  'shard'?: (number);
  'shards'?: (number);
}

export interface ListOffersRequest {
  /**
   * From 1 to `shards`, which is from 1 to 1,000: a product lies in the same one for as long as there are so many.
   */
  'shard': (number);
  'shards': (number);
}
