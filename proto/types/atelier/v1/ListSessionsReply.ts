// Original file: atelier/v1/sessions.proto

import type { SessionInput as _atelier_v1_SessionInput, Session as _atelier_v1_Session } from '../../atelier/v1/Session.ts';

export interface ListSessionsReplyInput {
  'sessions'?: (_atelier_v1_SessionInput)[];
}

export interface ListSessionsReply {
  'sessions': (_atelier_v1_Session)[];
}
