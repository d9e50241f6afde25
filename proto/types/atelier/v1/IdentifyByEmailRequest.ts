// Original file: atelier/v1/sessions.proto


export interface IdentifyByEmailRequestInput {
  'email'?: (string);
  /**
   * For a new account; may be empty.
   */
  'name'?: (string);
}

export interface IdentifyByEmailRequest {
  'email': (string);
  /**
   * For a new account; may be empty.
   */
  'name': (string);
}
