// Original file: atelier/v1/callbacks.proto


export interface DeliveryAttemptInput {
  'number'?: (number);
  'at'?: (string);
  /**
   * Absent when no answer came.
   */
  'http_status'?: (number);
  'duration_ms'?: (number);
  /**
   * Absent when delivered.
   */
  'error'?: (string);
  '_http_status'?: "http_status";
  '_error'?: "error";
}

export interface DeliveryAttempt {
  'number': (number);
  'at': (string);
  /**
   * Absent when no answer came.
   */
  'http_status'?: (number);
  'duration_ms': (number);
  /**
   * Absent when delivered.
   */
  'error'?: (string);
}
