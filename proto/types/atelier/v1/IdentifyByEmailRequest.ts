// Original file: atelier/v1/sessions.proto


export interface IdentifyByEmailRequestInput {
  'email'?: (string);
  /**
   * For a new account; may be empty.
   */
  'name'?: (string);
  /**
   * When the issuer saw the person sign in. RFC 3339; empty where it does not say.
   */
  'signed_in_at'?: (string);
}

export interface IdentifyByEmailRequest {
  'email': (string);
  /**
   * For a new account; may be empty.
   */
  'name': (string);
  /**
   * When the issuer saw the person sign in. RFC 3339; empty where it does not say.
   */
  'signed_in_at': (string);
}
