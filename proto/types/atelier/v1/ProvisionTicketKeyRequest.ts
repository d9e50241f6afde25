// Original file: atelier/v1/admin.proto


export interface ProvisionTicketKeyRequestInput {
  'ticket_id'?: (string);
  /**
   * What the key is for.
   */
  'name'?: (string);
  /**
   * Absent: it never expires. RFC 3339.
   */
  'expires_at'?: (string);
  '_expires_at'?: "expires_at";
}

export interface ProvisionTicketKeyRequest {
  'ticket_id': (string);
  /**
   * What the key is for.
   */
  'name': (string);
  /**
   * Absent: it never expires. RFC 3339.
   */
  'expires_at'?: (string);
}
