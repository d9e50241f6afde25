// Original file: atelier/v1/jobs.proto


export interface JobCallbackInput {
  'url'?: (string);
  /**
   * pending, delivered or failed; none before the job ends.
   */
  'status'?: (string);
  'attempts'?: (number);
}

export interface JobCallback {
  'url': (string);
  /**
   * pending, delivered or failed; none before the job ends.
   */
  'status': (string);
  'attempts': (number);
}
