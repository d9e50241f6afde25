// Original file: atelier/v1/accounts.proto


export interface RollKeyRequestInput {
  'key_id'?: (string);
  /**
   * For how long the old key goes on working: 1h, 24h or 7d.
   */
  'overlap'?: (string);
}

export interface RollKeyRequest {
  'key_id': (string);
  /**
   * For how long the old key goes on working: 1h, 24h or 7d.
   */
  'overlap': (string);
}
