// Original file: atelier/v1/admin.proto


export interface DeadDeliveryInput {
  'delivery_id'?: (string);
  'account_id'?: (string);
  'job_id'?: (string);
  'event'?: (string);
  'host'?: (string);
  'attempts'?: (number);
  /**
   * Of the last attempt.
   */
  'error'?: (string);
  'last_at'?: (string);
}

export interface DeadDelivery {
  'delivery_id': (string);
  'account_id': (string);
  'job_id': (string);
  'event': (string);
  'host': (string);
  'attempts': (number);
  /**
   * Of the last attempt.
   */
  'error': (string);
  'last_at': (string);
}
