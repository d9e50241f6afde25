// Original file: atelier/v1/accounts.proto


export interface ApiKeyInput {
  'key_id'?: (string);
  'name'?: (string);
  'scope'?: (string);
  /**
   * Prefix and the last four characters.
   */
  'masked'?: (string);
  'created_at'?: (string);
  'expires_at'?: (string);
  'last_used_at'?: (string);
  'revoked_at'?: (string);
  '_expires_at'?: "expires_at";
  '_last_used_at'?: "last_used_at";
  '_revoked_at'?: "revoked_at";
}

export interface ApiKey {
  'key_id': (string);
  'name': (string);
  'scope': (string);
  /**
   * Prefix and the last four characters.
   */
  'masked': (string);
  'created_at': (string);
  'expires_at'?: (string);
  'last_used_at'?: (string);
  'revoked_at'?: (string);
}
