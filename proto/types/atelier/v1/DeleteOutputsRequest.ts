// Original file: atelier/v1/jobs.proto


export interface DeleteOutputsRequestInput {
  'job_id'?: (string);
  /**
   * None: all of them.
   */
  'output_ids'?: (string)[];
}

export interface DeleteOutputsRequest {
  'job_id': (string);
  /**
   * None: all of them.
   */
  'output_ids': (string)[];
}
