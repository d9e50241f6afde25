// Original file: atelier/v1/workflows.proto


export interface CancelWorkflowRequestInput {
  'workflow_id'?: (string);
}

export interface CancelWorkflowRequest {
  'workflow_id': (string);
}
