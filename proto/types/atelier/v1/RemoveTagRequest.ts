// Original file: atelier/v1/catalog.proto


export interface RemoveTagRequestInput {
  'slug'?: (string);
}

export interface RemoveTagRequest {
  'slug': (string);
}
