// Original file: atelier/v1/admin.proto


export interface PauseQueueRequestInput {
  /**
   * Refuse new requests too (service_unavailable); otherwise they are accepted and wait.
   */
  'refuse'?: (boolean);
}

export interface PauseQueueRequest {
  /**
   * Refuse new requests too (service_unavailable); otherwise they are accepted and wait.
   */
  'refuse': (boolean);
}
