// Signed-in browsers, as their user sees them.
import { z } from "zod";
import { fromMessage } from "../codec.ts";

export const sessionSchema = z.object({
  session_id: z.string(),
  user_agent: z.string().describe("The browser's User-Agent, shortened."),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().describe("To the minute."),
  expires_at: z.iso.datetime(),
});

export type SessionResource = z.output<typeof sessionSchema> & {
  /** Whether this is the session of the current request. */
  current: boolean;
};

export function markCurrent(session: { session_id: string }, currentSessionId: string): SessionResource {
  return { ...fromMessage(sessionSchema, session), current: session.session_id === currentSessionId };
}
