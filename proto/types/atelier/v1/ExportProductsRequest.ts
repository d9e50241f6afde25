// Original file: atelier/v1/catalog.proto


export interface ExportProductsRequestInput {
  /**
   * Only this status; empty means all.
   */
  'status'?: (string);
}

export interface ExportProductsRequest {
  /**
   * Only this status; empty means all.
   */
  'status': (string);
}
