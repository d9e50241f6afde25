// Original file: atelier/v1/sessions.proto


export interface CreateLinkRequestInput {
  'email'?: (string);
  /**
   * Lower-case hex SHA-256 of the token in the link.
   */
  'token_sha256'?: (string);
  /**
   * Of the one who asks, as quotas count them. Empty: nothing is counted, for a link that is not mailed.
   */
  'network'?: (string);
}

export interface CreateLinkRequest {
  'email': (string);
  /**
   * Lower-case hex SHA-256 of the token in the link.
   */
  'token_sha256': (string);
  /**
   * Of the one who asks, as quotas count them. Empty: nothing is counted, for a link that is not mailed.
   */
  'network': (string);
}
