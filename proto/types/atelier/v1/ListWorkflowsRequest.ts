// Original file: atelier/v1/workflows.proto


export interface ListWorkflowsRequestInput {
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * One or several, with commas between.
   */
  'state'?: (string);
}

export interface ListWorkflowsRequest {
  'limit': (number);
  'cursor': (string);
  /**
   * One or several, with commas between.
   */
  'state': (string);
}
