// Original file: atelier/v1/catalog.proto


export interface GetProductRequestInput {
  'slug'?: (string);
}

export interface GetProductRequest {
  'slug': (string);
}
