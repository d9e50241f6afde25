// Original file: atelier/v1/credits.proto


export interface ListLedgerRequestInput {
  'limit'?: (number);
  'cursor'?: (string);
  'kind'?: (string);
  'job_id'?: (string);
  /**
   * RFC 3339; since is inclusive, until exclusive.
   */
  'since'?: (string);
  'until'?: (string);
}

export interface ListLedgerRequest {
  'limit': (number);
  'cursor': (string);
  'kind': (string);
  'job_id': (string);
  /**
   * RFC 3339; since is inclusive, until exclusive.
   */
  'since': (string);
  'until': (string);
}
