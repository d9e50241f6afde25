// Original file: atelier/v1/sessions.proto


export interface CheckSessionRequestInput {
  'account_id'?: (string);
  'session_id'?: (string);
}

export interface CheckSessionRequest {
  'account_id': (string);
  'session_id': (string);
}
