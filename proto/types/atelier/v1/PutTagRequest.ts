// Original file: atelier/v1/catalog.proto


export interface PutTagRequestInput {
  'slug'?: (string);
  'name'?: (string);
}

export interface PutTagRequest {
  'slug': (string);
  'name': (string);
}
