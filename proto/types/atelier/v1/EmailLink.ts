// Original file: atelier/v1/sessions.proto


export interface EmailLinkInput {
  /**
   * change or undo.
   */
  'kind'?: (string);
  /**
   * The address that the account has before it is used, and after that.
   */
  'from'?: (string);
  'to'?: (string);
  'expires_at'?: (string);
}

export interface EmailLink {
  /**
   * change or undo.
   */
  'kind': (string);
  /**
   * The address that the account has before it is used, and after that.
   */
  'from': (string);
  'to': (string);
  'expires_at': (string);
}
