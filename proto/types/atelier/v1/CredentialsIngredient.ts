// Original file: atelier/v1/jobs.proto


export interface CredentialsIngredientInput {
  'title'?: (string);
  'relationship'?: (string);
  'mime_type'?: (string);
  /**
   * valid, invalid or none.
   */
  'state'?: (string);
  '_title'?: "title";
  '_mime_type'?: "mime_type";
}

export interface CredentialsIngredient {
  'title'?: (string);
  'relationship': (string);
  'mime_type'?: (string);
  /**
   * valid, invalid or none.
   */
  'state': (string);
}
