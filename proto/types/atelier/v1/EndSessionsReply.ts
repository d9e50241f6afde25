// Original file: atelier/v1/admin.proto


export interface EndSessionsReplyInput {
  'account_id'?: (string);
  'ended'?: (number);
}

export interface EndSessionsReply {
  'account_id': (string);
  'ended': (number);
}
