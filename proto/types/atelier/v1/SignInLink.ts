// Original file: atelier/v1/sessions.proto


export interface SignInLinkInput {
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
   * The address was given up for another lately, and is kept free in case that is undone: no link was kept. The one who reads its mail
   * is told so.
   */
  'given_up'?: (boolean);
}

export interface SignInLink {
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
   * The address was given up for another lately, and is kept free in case that is undone: no link was kept. The one who reads its mail
   * is told so.
   */
  'given_up': (boolean);
}
