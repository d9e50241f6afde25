// Original file: atelier/v1/jobs.proto


export interface WatchJobRequestInput {
  'job_id'?: (string);
  'after_seq'?: (number);
}

export interface WatchJobRequest {
  'job_id': (string);
  'after_seq': (number);
}
