// Original file: atelier/v1/jobs.proto


export interface GetJobRequestInput {
  'job_id'?: (string);
  'wait_seconds'?: (number);
}

export interface GetJobRequest {
  'job_id': (string);
  'wait_seconds': (number);
}
