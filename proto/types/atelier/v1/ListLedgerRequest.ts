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
  /**
   * One entry a job, the first that fits, and those of no job. All entries of these jobs are in of_jobs.
   */
  'by_job'?: (boolean);
  /**
   * Begin with this entry, or with that of its job; not_found where there is none.
   */
  'from_entry'?: (string);
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
  /**
   * One entry a job, the first that fits, and those of no job. All entries of these jobs are in of_jobs.
   */
  'by_job': (boolean);
  /**
   * Begin with this entry, or with that of its job; not_found where there is none.
   */
  'from_entry': (string);
}
