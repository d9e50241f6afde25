// Original file: atelier/v1/catalog.proto


export interface ExportedProductInput {
  /**
   * As ImportRow.json, every field present.
   */
  'json'?: (string);
}

export interface ExportedProduct {
  /**
   * As ImportRow.json, every field present.
   */
  'json': (string);
}
