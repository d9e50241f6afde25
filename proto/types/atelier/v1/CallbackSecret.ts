// Original file: atelier/v1/accounts.proto


export interface CallbackSecretInput {
  /**
   * Shown in this answer only.
   */
  'secret'?: (string);
  /**
   * As in CallbackSecretState. Both are empty when nobody knew a secret before.
   */
  'previous_until'?: (string);
  'switches_at'?: (string);
}

export interface CallbackSecret {
  /**
   * Shown in this answer only.
   */
  'secret': (string);
  /**
   * As in CallbackSecretState. Both are empty when nobody knew a secret before.
   */
  'previous_until': (string);
  'switches_at': (string);
}
