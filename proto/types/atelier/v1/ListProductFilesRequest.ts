// Original file: atelier/v1/admin.proto


export interface ListProductFilesRequestInput {
  'product_slug'?: (string);
}

export interface ListProductFilesRequest {
  'product_slug': (string);
}
