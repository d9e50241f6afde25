// Original file: atelier/v1/admin.proto


/**
 * As ListLedgerRequest, for an account.
 */
export interface ListAccountLedgerRequestInput {
  'account'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  'kind'?: (string);
  'job_id'?: (string);
  'since'?: (string);
  'until'?: (string);
}

/**
 * As ListLedgerRequest, for an account.
 */
export interface ListAccountLedgerRequest {
  'account': (string);
  'limit': (number);
  'cursor': (string);
  'kind': (string);
  'job_id': (string);
  'since': (string);
  'until': (string);
}
