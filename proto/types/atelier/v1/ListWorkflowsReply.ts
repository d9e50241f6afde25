// Original file: atelier/v1/workflows.proto

import type { WorkflowInput as _atelier_v1_WorkflowInput, Workflow as _atelier_v1_Workflow } from '../../atelier/v1/Workflow.ts';

export interface ListWorkflowsReplyInput {
  /**
   * May be fewer than limit, even none, on a page that is not the last.
   */
  'workflows'?: (_atelier_v1_WorkflowInput)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListWorkflowsReply {
  /**
   * May be fewer than limit, even none, on a page that is not the last.
   */
  'workflows': (_atelier_v1_Workflow)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor': (string);
}
