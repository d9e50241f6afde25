// Original file: atelier/v1/admin.proto


export interface AuditRequestInput {
  /**
   * Empty means all.
   */
  'account'?: (string);
}

export interface AuditRequest {
  /**
   * Empty means all.
   */
  'account': (string);
}
