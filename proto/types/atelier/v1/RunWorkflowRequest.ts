// Original file: atelier/v1/workflows.proto

import type { WorkflowStepRequestInput as _atelier_v1_WorkflowStepRequestInput, WorkflowStepRequest as _atelier_v1_WorkflowStepRequest } from '../../atelier/v1/WorkflowStepRequest.ts';
import type { Long } from '@grpc/proto-loader';

export interface RunWorkflowRequestInput {
  /**
   * 2 to 20.
   */
  'steps'?: (_atelier_v1_WorkflowStepRequestInput)[];
  /**
   * Called once, when the workflow ends.
   */
  'callback_url'?: (string);
  /**
   * Call it for the end of each step too.
   */
  'callback_on_steps'?: (boolean);
  'metadata'?: ({[key: string]: string});
  'idempotency_key'?: (string);
  /**
   * Refuse the workflow where all steps together would cost more: spend_limit_reached.
   */
  'max_credits'?: (number | string | Long);
  /**
   * As in GenerateRequest.
   */
  'confirmation_id'?: (string);
  '_callback_url'?: "callback_url";
  '_callback_on_steps'?: "callback_on_steps";
  '_idempotency_key'?: "idempotency_key";
  '_max_credits'?: "max_credits";
  '_confirmation_id'?: "confirmation_id";
}

export interface RunWorkflowRequest {
  /**
   * 2 to 20.
   */
  'steps': (_atelier_v1_WorkflowStepRequest)[];
  /**
   * Called once, when the workflow ends.
   */
  'callback_url'?: (string);
  /**
   * Call it for the end of each step too.
   */
  'callback_on_steps'?: (boolean);
  'metadata': ({[key: string]: string});
  'idempotency_key'?: (string);
  /**
   * Refuse the workflow where all steps together would cost more: spend_limit_reached.
   */
  'max_credits'?: (number);
  /**
   * As in GenerateRequest.
   */
  'confirmation_id'?: (string);
}
