// Original file: atelier/v1/sessions.proto


export interface StartEmailChangeReplyInput {
  /**
   * As stored: trimmed and in lower case.
   */
  'email'?: (string);
  'expires_at'?: (string);
  /**
   * A quota of mails is used up: no link was kept and none must be sent. Whoever asked is not to notice.
   */
  'over_quota'?: (boolean);
  /**
   * Another account has the address: no link was kept. Whoever reads its mail may be told, but not who asked.
   */
  'taken'?: (boolean);
}

export interface StartEmailChangeReply {
  /**
   * As stored: trimmed and in lower case.
   */
  'email': (string);
  'expires_at': (string);
  /**
   * A quota of mails is used up: no link was kept and none must be sent. Whoever asked is not to notice.
   */
  'over_quota': (boolean);
  /**
   * Another account has the address: no link was kept. Whoever reads its mail may be told, but not who asked.
   */
  'taken': (boolean);
}
