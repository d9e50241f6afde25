// Original file: atelier/v1/catalog.proto


export interface SlugEntryInput {
  'slug'?: (string);
  'updated_at'?: (string);
}

export interface SlugEntry {
  'slug': (string);
  'updated_at': (string);
}
