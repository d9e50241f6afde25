// Original file: atelier/v1/workflows.proto

import type { WorkflowStepInput as _atelier_v1_WorkflowStepInput, WorkflowStep as _atelier_v1_WorkflowStep } from '../../atelier/v1/WorkflowStep.ts';
import type { JobCallbackInput as _atelier_v1_JobCallbackInput, JobCallback as _atelier_v1_JobCallback } from '../../atelier/v1/JobCallback.ts';
import type { Long } from '@grpc/proto-loader';

export interface WorkflowInput {
  'workflow_id'?: (string);
  /**
   * running, cancelling, completed, failed or cancelled.
   */
  'state'?: (string);
  /**
   * api, app, mcp or member.
   */
  'source'?: (string);
  'credits_reserved'?: (number | string | Long);
  /**
   * Debited and not refunded, of all steps.
   */
  'credits_charged'?: (number | string | Long);
  'estimated_seconds'?: (number | string);
  /**
   * It runs, and nobody has asked for its end yet.
   */
  'cancellable'?: (boolean);
  'created_at'?: (string);
  'ended_at'?: (string);
  'steps'?: (_atelier_v1_WorkflowStepInput)[];
  'callback'?: (_atelier_v1_JobCallbackInput | null);
  'callback_on_steps'?: (boolean);
  'metadata'?: ({[key: string]: string});
  /**
   * Grows with every change of it or of a step; basis of the ETag.
   */
  'version'?: (number | string | Long);
  '_ended_at'?: "ended_at";
}

export interface Workflow {
  'workflow_id': (string);
  /**
   * running, cancelling, completed, failed or cancelled.
   */
  'state': (string);
  /**
   * api, app, mcp or member.
   */
  'source': (string);
  'credits_reserved': (number);
  /**
   * Debited and not refunded, of all steps.
   */
  'credits_charged': (number);
  'estimated_seconds': (number);
  /**
   * It runs, and nobody has asked for its end yet.
   */
  'cancellable': (boolean);
  'created_at': (string);
  'ended_at'?: (string);
  'steps': (_atelier_v1_WorkflowStep)[];
  'callback': (_atelier_v1_JobCallback | null);
  'callback_on_steps': (boolean);
  'metadata': ({[key: string]: string});
  /**
   * Grows with every change of it or of a step; basis of the ETag.
   */
  'version': (number);
}
