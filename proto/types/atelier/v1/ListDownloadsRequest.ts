// Original file: atelier/v1/library.proto


export interface ListDownloadsRequestInput {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListDownloadsRequest {
  /**
   * 1 to 100; 0 means 50.
   */
  'limit': (number);
  'cursor': (string);
}
