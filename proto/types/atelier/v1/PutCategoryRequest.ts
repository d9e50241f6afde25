// Original file: atelier/v1/catalog.proto


export interface PutCategoryRequestInput {
  'slug'?: (string);
  'name'?: (string);
  'parent'?: (string);
}

export interface PutCategoryRequest {
  'slug': (string);
  'name': (string);
  'parent': (string);
}
