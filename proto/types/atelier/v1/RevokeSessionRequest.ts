// Original file: atelier/v1/sessions.proto


export interface RevokeSessionRequestInput {
  'session_id'?: (string);
}

export interface RevokeSessionRequest {
  'session_id': (string);
}
