// Original file: atelier/v1/jobs.proto


export interface JobErrorInput {
  'code'?: (string);
  'message'?: (string);
}

export interface JobError {
  'code': (string);
  'message': (string);
}
