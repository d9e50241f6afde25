// Original file: atelier/v1/accounts.proto


export interface ChangeNameReplyInput {
  /**
   * As it is stored.
   */
  'name'?: (string);
}

export interface ChangeNameReply {
  /**
   * As it is stored.
   */
  'name': (string);
}
