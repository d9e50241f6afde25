// Original file: atelier/v1/admin.proto


export interface GetAnyJobRequestInput {
  'job_id'?: (string);
}

export interface GetAnyJobRequest {
  'job_id': (string);
}
