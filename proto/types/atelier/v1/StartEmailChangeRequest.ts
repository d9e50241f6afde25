// Original file: atelier/v1/sessions.proto


export interface StartEmailChangeRequestInput {
  'email'?: (string);
  /**
   * Lower-case hex SHA-256 of the token in the link.
   */
  'token_sha256'?: (string);
  /**
   * Of the one who asks, as quotas count them.
   */
  'network'?: (string);
}

export interface StartEmailChangeRequest {
  'email': (string);
  /**
   * Lower-case hex SHA-256 of the token in the link.
   */
  'token_sha256': (string);
  /**
   * Of the one who asks, as quotas count them.
   */
  'network': (string);
}
