// Original file: atelier/v1/jobs.proto


export interface CredentialsIssuerInput {
  'name'?: (string);
  'organization'?: (string);
  'is_this_service'?: (boolean);
  /**
   * By an authority of this service, or of a trust list that its operator has configured.
   */
  'is_trusted'?: (boolean);
  /**
   * Absent for another issuer's certificate.
   */
  'is_self_made'?: (boolean);
  '_name'?: "name";
  '_organization'?: "organization";
  '_is_self_made'?: "is_self_made";
}

export interface CredentialsIssuer {
  'name'?: (string);
  'organization'?: (string);
  'is_this_service': (boolean);
  /**
   * By an authority of this service, or of a trust list that its operator has configured.
   */
  'is_trusted': (boolean);
  /**
   * Absent for another issuer's certificate.
   */
  'is_self_made'?: (boolean);
}
