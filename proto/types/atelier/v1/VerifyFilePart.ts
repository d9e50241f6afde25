// Original file: atelier/v1/jobs.proto


export interface VerifyFilePartInput {
  'data'?: (Buffer | Uint8Array | string);
}

export interface VerifyFilePart {
  'data': (Buffer);
}
