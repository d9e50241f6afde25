// Original file: atelier/v1/admin.proto


export interface ListAuditTrailRequestInput {
  /**
   * Account (id or e-mail address), key, licence, model, product or service name that was changed. Empty means all.
   */
  'target'?: (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * Only what this bulk did. Empty means all.
   */
  'bulk_id'?: (string);
}

export interface ListAuditTrailRequest {
  /**
   * Account (id or e-mail address), key, licence, model, product or service name that was changed. Empty means all.
   */
  'target': (string);
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
  /**
   * Only what this bulk did. Empty means all.
   */
  'bulk_id': (string);
}
