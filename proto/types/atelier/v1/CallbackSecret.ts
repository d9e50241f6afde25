// Original file: atelier/v1/accounts.proto


export interface CallbackSecretInput {
  /**
   * Shown in this answer only.
   */
  'secret'?: (string);
  /**
   * Until then deliveries are signed with the old secret too. Empty when there was none.
   */
  'previous_until'?: (string);
}

export interface CallbackSecret {
  /**
   * Shown in this answer only.
   */
  'secret': (string);
  /**
   * Until then deliveries are signed with the old secret too. Empty when there was none.
   */
  'previous_until': (string);
}
