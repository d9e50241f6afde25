// Original file: atelier/v1/jobs.proto


export interface CredentialsProblemInput {
  'code'?: (string);
  'message'?: (string);
}

export interface CredentialsProblem {
  'code': (string);
  'message': (string);
}
