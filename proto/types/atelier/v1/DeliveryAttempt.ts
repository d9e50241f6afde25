// Original file: atelier/v1/callbacks.proto


export interface DeliveryAttemptInput {
  'number'?: (number);
  'at'?: (string);
  /**
   * 0 when no answer came.
   */
  'http_status'?: (number);
  'duration_ms'?: (number);
  /**
   * Empty when delivered.
   */
  'error'?: (string);
}

export interface DeliveryAttempt {
  'number': (number);
  'at': (string);
  /**
   * 0 when no answer came.
   */
  'http_status': (number);
  'duration_ms': (number);
  /**
   * Empty when delivered.
   */
  'error': (string);
}
