// Original file: atelier/v1/sessions.proto


export interface SignInLinkInput {
  /**
   * As stored: trimmed and in lower case.
   */
  'email'?: (string);
  'expires_at'?: (string);
}

export interface SignInLink {
  /**
   * As stored: trimmed and in lower case.
   */
  'email': (string);
  'expires_at': (string);
}
