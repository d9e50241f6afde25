// Original file: atelier/v1/tickets.proto


export interface TakenKeyInput {
  /**
   * The whole key, for this one time.
   */
  'secret'?: (string);
  'key_id'?: (string);
}

export interface TakenKey {
  /**
   * The whole key, for this one time.
   */
  'secret': (string);
  'key_id': (string);
}
