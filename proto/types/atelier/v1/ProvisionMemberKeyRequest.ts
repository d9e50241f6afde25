// Original file: atelier/v1/admin.proto


export interface ProvisionMemberKeyRequestInput {
  'account'?: (string);
  /**
   * What the key is for.
   */
  'name'?: (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
  '_expires_at'?: "expires_at";
}

export interface ProvisionMemberKeyRequest {
  'account': (string);
  /**
   * What the key is for.
   */
  'name': (string);
  /**
   * RFC 3339.
   */
  'expires_at'?: (string);
}
