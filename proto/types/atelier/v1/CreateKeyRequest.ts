// Original file: atelier/v1/accounts.proto


export interface CreateKeyRequestInput {
  'name'?: (string);
  /**
   * read or write.
   */
  'scope'?: (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  '_expires_at'?: "expires_at";
}

export interface CreateKeyRequest {
  'name': (string);
  /**
   * read or write.
   */
  'scope': (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
}
