// Original file: atelier/v1/workflows.proto


export interface WatchWorkflowRequestInput {
  'workflow_id'?: (string);
}

export interface WatchWorkflowRequest {
  'workflow_id': (string);
}
