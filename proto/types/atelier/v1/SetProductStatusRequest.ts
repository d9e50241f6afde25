// Original file: atelier/v1/catalog.proto


export interface SetProductStatusRequestInput {
  'slug'?: (string);
  /**
   * draft, published, featured, coming_soon, beta or archived.
   */
  'status'?: (string);
}

export interface SetProductStatusRequest {
  'slug': (string);
  /**
   * draft, published, featured, coming_soon, beta or archived.
   */
  'status': (string);
}
