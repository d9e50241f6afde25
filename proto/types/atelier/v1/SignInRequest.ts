// Original file: atelier/v1/sessions.proto


export interface SignInRequestInput {
  'token_sha256'?: (string);
  'user_agent'?: (string);
  /**
   * Of the browser, as quotas count them.
   */
  'network'?: (string);
}

export interface SignInRequest {
  'token_sha256': (string);
  'user_agent': (string);
  /**
   * Of the browser, as quotas count them.
   */
  'network': (string);
}
