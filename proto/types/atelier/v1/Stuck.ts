// Original file: atelier/v1/admin.proto


export interface StuckInput {
  /**
   * As proto/resources/stuck.ts names them.
   */
  'kind'?: (string);
  'count'?: (number);
}

export interface Stuck {
  /**
   * As proto/resources/stuck.ts names them.
   */
  'kind': (string);
  'count': (number);
}
