// Original file: atelier/v1/callbacks.proto


export interface ListDeliveriesRequestInput {
  'job_id'?: (string);
}

export interface ListDeliveriesRequest {
  'job_id': (string);
}
