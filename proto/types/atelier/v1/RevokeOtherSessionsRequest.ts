// Original file: atelier/v1/sessions.proto


export interface RevokeOtherSessionsRequestInput {
  /**
   * The one that stays. Empty: none does.
   */
  'keep_session_id'?: (string);
}

export interface RevokeOtherSessionsRequest {
  /**
   * The one that stays. Empty: none does.
   */
  'keep_session_id': (string);
}
