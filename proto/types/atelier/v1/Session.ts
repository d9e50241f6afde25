// Original file: atelier/v1/sessions.proto


export interface SessionInput {
  'session_id'?: (string);
  'account_id'?: (string);
  /**
   * What the browser called itself, cut short.
   */
  'user_agent'?: (string);
  'created_at'?: (string);
  /**
   * To the minute.
   */
  'last_seen_at'?: (string);
  /**
   * Where it is not used again.
   */
  'expires_at'?: (string);
  'revoked_at'?: (string);
  '_revoked_at'?: "revoked_at";
}

export interface Session {
  'session_id': (string);
  'account_id': (string);
  /**
   * What the browser called itself, cut short.
   */
  'user_agent': (string);
  'created_at': (string);
  /**
   * To the minute.
   */
  'last_seen_at': (string);
  /**
   * Where it is not used again.
   */
  'expires_at': (string);
  'revoked_at'?: (string);
}
