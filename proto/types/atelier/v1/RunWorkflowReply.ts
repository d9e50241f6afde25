// Original file: atelier/v1/workflows.proto

import type { WorkflowStepReplyInput as _atelier_v1_WorkflowStepReplyInput, WorkflowStepReply as _atelier_v1_WorkflowStepReply } from '../../atelier/v1/WorkflowStepReply.ts';
import type { Long } from '@grpc/proto-loader';

export interface RunWorkflowReplyInput {
  'workflow_id'?: (string);
  /**
   * running: the answer of the first request, whatever has become of it since.
   */
  'state'?: (string);
  /**
   * Of all steps.
   */
  'credits_reserved'?: (number | string | Long);
  /**
   * Along the longest way through the graph.
   */
  'estimated_seconds'?: (number | string);
  'steps'?: (_atelier_v1_WorkflowStepReplyInput)[];
  /**
   * True when an earlier request with the same Idempotency-Key made this workflow and nothing was written now.
   */
  'replayed'?: (boolean);
}

export interface RunWorkflowReply {
  'workflow_id': (string);
  /**
   * running: the answer of the first request, whatever has become of it since.
   */
  'state': (string);
  /**
   * Of all steps.
   */
  'credits_reserved': (number);
  /**
   * Along the longest way through the graph.
   */
  'estimated_seconds': (number);
  'steps': (_atelier_v1_WorkflowStepReply)[];
  /**
   * True when an earlier request with the same Idempotency-Key made this workflow and nothing was written now.
   */
  'replayed': (boolean);
}
