// Original file: atelier/v1/catalog.proto


export interface RemoveCategoryRequestInput {
  'slug'?: (string);
}

export interface RemoveCategoryRequest {
  'slug': (string);
}
