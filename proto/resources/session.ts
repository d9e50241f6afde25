// Signed-in browsers as their person sees them.
import type { Session } from "../types/atelier/v1/Session.ts";

export type SessionResource = {
  session_id: string;
  /** What the browser called itself, cut short. */
  user_agent: string;
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  expires_at: string;
  /** Whether the request that asks came with it. */
  current: boolean;
};

export function fromSession(session: Session, currentSessionId: string): SessionResource {
  return {
    session_id: session.session_id,
    user_agent: session.user_agent,
    created_at: session.created_at,
    last_seen_at: session.last_seen_at,
    expires_at: session.expires_at,
    current: session.session_id === currentSessionId,
  };
}
