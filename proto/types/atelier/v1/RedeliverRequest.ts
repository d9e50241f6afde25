// Original file: atelier/v1/callbacks.proto


export interface RedeliverRequestInput {
  'job_id'?: (string);
}

export interface RedeliverRequest {
  'job_id': (string);
}
