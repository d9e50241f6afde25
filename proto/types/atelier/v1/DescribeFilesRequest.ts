// Original file: atelier/v1/library.proto


export interface DescribeFilesRequestInput {
  'product_slug'?: (string);
}

export interface DescribeFilesRequest {
  'product_slug': (string);
}
