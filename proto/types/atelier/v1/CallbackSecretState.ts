// Original file: atelier/v1/accounts.proto


export interface CallbackSecretStateInput {
  'known'?: (boolean);
  /**
   * Until then webhook-signature is made with the secret before it too. Empty when it is not.
   */
  'previous_until'?: (string);
  /**
   * Until then x-service-signature is made with the secret before it. Empty when it is made with the newest.
   */
  'switches_at'?: (string);
}

export interface CallbackSecretState {
  'known': (boolean);
  /**
   * Until then webhook-signature is made with the secret before it too. Empty when it is not.
   */
  'previous_until': (string);
  /**
   * Until then x-service-signature is made with the secret before it. Empty when it is made with the newest.
   */
  'switches_at': (string);
}
