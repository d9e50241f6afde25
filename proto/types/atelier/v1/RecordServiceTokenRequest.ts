// Original file: atelier/v1/admin.proto


export interface RecordServiceTokenRequestInput {
  'name'?: (string);
  /**
   * What the token will claim.
   */
  'scopes'?: (string)[];
  'token_id'?: (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
}

export interface RecordServiceTokenRequest {
  'name': (string);
  /**
   * What the token will claim.
   */
  'scopes': (string)[];
  'token_id': (string);
  /**
   * RFC 3339.
   */
  'expires_at': (string);
}
