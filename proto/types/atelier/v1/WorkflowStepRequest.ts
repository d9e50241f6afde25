// Original file: atelier/v1/workflows.proto


export interface WorkflowStepRequestInput {
  /**
   * Its name within the workflow.
   */
  'id'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  'prompt'?: (string);
  /**
   * A JSON object, checked against the model's params schema. Empty means {}. A param that takes a file may say `step:ID` or `step:ID/N`:
   * the first output, or the one at N from 0, of another step.
   */
  'params_json'?: (string);
  'metadata'?: ({[key: string]: string});
  /**
   * Steps that must have completed before, beside those whose outputs it uses.
   */
  'after'?: (string)[];
}

export interface WorkflowStepRequest {
  /**
   * Its name within the workflow.
   */
  'id': (string);
  'modality': (string);
  'model_slug': (string);
  'prompt': (string);
  /**
   * A JSON object, checked against the model's params schema. Empty means {}. A param that takes a file may say `step:ID` or `step:ID/N`:
   * the first output, or the one at N from 0, of another step.
   */
  'params_json': (string);
  'metadata': ({[key: string]: string});
  /**
   * Steps that must have completed before, beside those whose outputs it uses.
   */
  'after': (string)[];
}
