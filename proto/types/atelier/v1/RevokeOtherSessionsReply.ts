// Original file: atelier/v1/sessions.proto


export interface RevokeOtherSessionsReplyInput {
  'revoked'?: (number);
}

export interface RevokeOtherSessionsReply {
  'revoked': (number);
}
