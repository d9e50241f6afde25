// Original file: atelier/v1/admin.proto


/**
 * As ListJobsRequest, for an account.
 */
export interface ListAccountJobsRequestInput {
  'account'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  'state'?: (string);
  'modality'?: (string);
}

/**
 * As ListJobsRequest, for an account.
 */
export interface ListAccountJobsRequest {
  'account': (string);
  'limit': (number);
  'cursor': (string);
  'state': (string);
  'modality': (string);
}
