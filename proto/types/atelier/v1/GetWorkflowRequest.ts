// Original file: atelier/v1/workflows.proto


export interface GetWorkflowRequestInput {
  'workflow_id'?: (string);
  'wait_seconds'?: (number);
}

export interface GetWorkflowRequest {
  'workflow_id': (string);
  'wait_seconds': (number);
}
