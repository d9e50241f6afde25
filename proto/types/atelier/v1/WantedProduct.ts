// Original file: atelier/v1/orders.proto


export interface WantedProductInput {
  'product_slug'?: (string);
  /**
   * standard or client.
   */
  'licence'?: (string);
}

export interface WantedProduct {
  'product_slug': (string);
  /**
   * standard or client.
   */
  'licence': (string);
}
