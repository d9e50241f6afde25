// Original file: atelier/v1/admin.proto


/**
 * As ListJobsRequest, for an account.
 */
export interface ListAccountJobsRequestInput {
  'account'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * As in ListJobsRequest.
   */
  'state'?: (string);
  'modality'?: (string);
  'model'?: (string);
  'since'?: (string);
  'until'?: (string);
  'metadata'?: ({[key: string]: string});
}

/**
 * As ListJobsRequest, for an account.
 */
export interface ListAccountJobsRequest {
  'account': (string);
  'limit': (number);
  'cursor': (string);
  /**
   * As in ListJobsRequest.
   */
  'state': (string);
  'modality': (string);
  'model': (string);
  'since': (string);
  'until': (string);
  'metadata': ({[key: string]: string});
}
