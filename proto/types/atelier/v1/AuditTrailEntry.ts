// Original file: atelier/v1/admin.proto


export interface AuditTrailEntryInput {
  'entry_id'?: (string);
  'at'?: (string);
  /**
   * Name of the service whose token was used.
   */
  'service'?: (string);
  /**
   * The person, as the service told it. Empty when it told none.
   */
  'operator'?: (string);
  /**
   * RPC method.
   */
  'method'?: (string);
  'target'?: (string);
  /**
   * What was asked beside the target. Never a secret.
   */
  'detail'?: (string);
  'reason'?: (string);
  'request_id'?: (string);
  /**
   * done, or the code with which it was refused. Empty while it runs, and for good where core or the database was lost meanwhile: then
   * it may have been done or not.
   */
  'outcome'?: (string);
}

export interface AuditTrailEntry {
  'entry_id': (string);
  'at': (string);
  /**
   * Name of the service whose token was used.
   */
  'service': (string);
  /**
   * The person, as the service told it. Empty when it told none.
   */
  'operator': (string);
  /**
   * RPC method.
   */
  'method': (string);
  'target': (string);
  /**
   * What was asked beside the target. Never a secret.
   */
  'detail': (string);
  'reason': (string);
  'request_id': (string);
  /**
   * done, or the code with which it was refused. Empty while it runs, and for good where core or the database was lost meanwhile: then
   * it may have been done or not.
   */
  'outcome': (string);
}
