// Original file: atelier/v1/jobs.proto


export interface CancelJobRequestInput {
  'job_id'?: (string);
}

export interface CancelJobRequest {
  'job_id': (string);
}
