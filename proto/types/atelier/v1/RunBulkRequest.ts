// Original file: atelier/v1/admin.proto


export interface RunBulkRequestInput {
  'bulk_id'?: (string);
  /**
   * As the dry run had it.
   */
  'act'?: (string);
  /**
   * Things a second; 0 means 50.
   */
  'per_second'?: (number);
}

export interface RunBulkRequest {
  'bulk_id': (string);
  /**
   * As the dry run had it.
   */
  'act': (string);
  /**
   * Things a second; 0 means 50.
   */
  'per_second': (number);
}
