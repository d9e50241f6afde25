// Original file: atelier/v1/callbacks.proto

import type { DeliveryAttemptInput as _atelier_v1_DeliveryAttemptInput, DeliveryAttempt as _atelier_v1_DeliveryAttempt } from '../../atelier/v1/DeliveryAttempt.ts';

export interface DeliveryInput {
  /**
   * What the receiver sees, and the same for every redelivery of a job's end.
   */
  'delivery_id'?: (string);
  /**
   * Absent for a test event, and for the end of a workflow.
   */
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
  /**
   * 0: sent by itself when the job ended. 1, 2, …: sent again at the owner's wish.
   */
  'redelivery'?: (number);
  /**
   * The workflow whose end it tells of.
   */
  'workflow_id'?: (string);
  '_job_id'?: "job_id";
  '_next_attempt_at'?: "next_attempt_at";
  '_workflow_id'?: "workflow_id";
}

export interface Delivery {
  /**
   * What the receiver sees, and the same for every redelivery of a job's end.
   */
  'delivery_id': (string);
  /**
   * Absent for a test event, and for the end of a workflow.
   */
  'job_id'?: (string);
  'event': (string);
  'url': (string);
  /**
   * pending, delivered or failed.
   */
  'status': (string);
  'created_at': (string);
  'next_attempt_at'?: (string);
  'attempts': (_atelier_v1_DeliveryAttempt)[];
  /**
   * 0: sent by itself when the job ended. 1, 2, …: sent again at the owner's wish.
   */
  'redelivery': (number);
  /**
   * The workflow whose end it tells of.
   */
  'workflow_id'?: (string);
}
