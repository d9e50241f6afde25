// Original file: atelier/v1/callbacks.proto


export interface ListOwnDeliveriesRequestInput {
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * pending, delivered or failed.
   */
  'status'?: (string);
  'job_id'?: (string);
}

export interface ListOwnDeliveriesRequest {
  'limit': (number);
  'cursor': (string);
  /**
   * pending, delivered or failed.
   */
  'status': (string);
  'job_id': (string);
}
