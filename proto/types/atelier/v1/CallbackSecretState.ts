// Original file: atelier/v1/accounts.proto


export interface CallbackSecretStateInput {
  'known'?: (boolean);
  /**
   * Until then deliveries are signed with the secret before it too. Empty when they are not.
   */
  'previous_until'?: (string);
}

export interface CallbackSecretState {
  'known': (boolean);
  /**
   * Until then deliveries are signed with the secret before it too. Empty when they are not.
   */
  'previous_until': (string);
}
