// Original file: atelier/v1/library.proto


export interface ListLibraryRequestInput {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListLibraryRequest {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
