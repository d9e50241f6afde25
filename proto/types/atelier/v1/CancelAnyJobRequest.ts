// Original file: atelier/v1/admin.proto


export interface CancelAnyJobRequestInput {
  'job_id'?: (string);
}

export interface CancelAnyJobRequest {
  'job_id': (string);
}
