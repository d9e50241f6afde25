// Original file: atelier/v1/admin.proto


export interface FindRequestInput {
  'word'?: (string);
  /**
   * Lower-case hex SHA-256 of a whole key, instead of a word.
   */
  'key_sha256'?: (string);
}

export interface FindRequest {
  'word': (string);
  /**
   * Lower-case hex SHA-256 of a whole key, instead of a word.
   */
  'key_sha256': (string);
}
