// Original file: atelier/v1/jobs.proto


export interface VerifyOutputRequestInput {
  'sha256'?: (string);
}

export interface VerifyOutputRequest {
  'sha256': (string);
}
