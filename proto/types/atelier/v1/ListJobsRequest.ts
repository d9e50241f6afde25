// Original file: atelier/v1/jobs.proto


export interface ListJobsRequestInput {
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * One or several, with commas between.
   */
  'state'?: (string);
  'modality'?: (string);
  'model'?: (string);
  /**
   * RFC 3339, of created_at; since is inclusive, until exclusive.
   */
  'since'?: (string);
  'until'?: (string);
  /**
   * Jobs that have all of these pairs.
   */
  'metadata'?: ({[key: string]: string});
  /**
   * Words, all of which the prompt has somewhere, in either case.
   */
  'search'?: (string);
  /**
   * Of these jobs alone, 100 at most.
   */
  'job_ids'?: (string)[];
}

export interface ListJobsRequest {
  'limit': (number);
  'cursor': (string);
  /**
   * One or several, with commas between.
   */
  'state': (string);
  'modality': (string);
  'model': (string);
  /**
   * RFC 3339, of created_at; since is inclusive, until exclusive.
   */
  'since': (string);
  'until': (string);
  /**
   * Jobs that have all of these pairs.
   */
  'metadata': ({[key: string]: string});
  /**
   * Words, all of which the prompt has somewhere, in either case.
   */
  'search': (string);
  /**
   * Of these jobs alone, 100 at most.
   */
  'job_ids': (string)[];
}
