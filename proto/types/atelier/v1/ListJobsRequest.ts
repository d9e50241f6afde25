// Original file: atelier/v1/jobs.proto


export interface ListJobsRequestInput {
  'limit'?: (number);
  'cursor'?: (string);
  'state'?: (string);
  'modality'?: (string);
}

export interface ListJobsRequest {
  'limit': (number);
  'cursor': (string);
  'state': (string);
  'modality': (string);
}
