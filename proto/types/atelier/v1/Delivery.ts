// Original file: atelier/v1/callbacks.proto

import type { DeliveryAttemptInput as _atelier_v1_DeliveryAttemptInput, DeliveryAttempt as _atelier_v1_DeliveryAttempt } from '../../atelier/v1/DeliveryAttempt.ts';

export interface DeliveryInput {
  'delivery_id'?: (string);
  'job_id'?: (string);
  'event'?: (string);
  'url'?: (string);
  /**
   * pending, delivered or failed.
   */
  'status'?: (string);
  'created_at'?: (string);
  'next_attempt_at'?: (string);
  'attempts'?: (_atelier_v1_DeliveryAttemptInput)[];
  '_next_attempt_at'?: "next_attempt_at";
}

export interface Delivery {
  'delivery_id': (string);
  'job_id': (string);
  'event': (string);
  'url': (string);
  /**
   * pending, delivered or failed.
   */
  'status': (string);
  'created_at': (string);
  'next_attempt_at'?: (string);
  'attempts': (_atelier_v1_DeliveryAttempt)[];
}
