// Original file: atelier/v1/admin.proto


export interface ListStuckRequestInput {
  /**
   * Also those kinds of which there is nothing.
   */
  'all'?: (boolean);
}

export interface ListStuckRequest {
  /**
   * Also those kinds of which there is nothing.
   */
  'all': (boolean);
}
