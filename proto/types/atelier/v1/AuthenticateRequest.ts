// Original file: atelier/v1/accounts.proto


export interface AuthenticateRequestInput {
  /**
   * read or write.
   */
  'required_scope'?: (string);
}

export interface AuthenticateRequest {
  /**
   * read or write.
   */
  'required_scope': (string);
}
