// Original file: atelier/v1/sessions.proto


export interface FindLinkRequestInput {
  'token_sha256'?: (string);
}

export interface FindLinkRequest {
  'token_sha256': (string);
}
