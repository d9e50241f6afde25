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
   * it may have been done or not. A bulk that ended halfway is `stopped`.
   */
  'outcome'?: (string);
  /**
   * What it came to, in numbers before and after. Empty where there is nothing to count.
   */
  'result'?: (string);
  /**
   * The bulk that it is a part of. Empty where it is of none.
   */
  'bulk_id'?: (string);
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
   * it may have been done or not. A bulk that ended halfway is `stopped`.
   */
  'outcome': (string);
  /**
   * What it came to, in numbers before and after. Empty where there is nothing to count.
   */
  'result': (string);
  /**
   * The bulk that it is a part of. Empty where it is of none.
   */
  'bulk_id': (string);
}
