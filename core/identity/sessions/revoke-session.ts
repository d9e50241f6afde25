// Lists an account's sessions and ends them: one, or all but one.
import { AppError } from "../../../proto/codes.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { idleSince } from "./rules.ts";
import { findLiveSessions, revokeSessionOf, revokeSessionsExcept, type SessionDoc } from "./store.ts";

/** The most that a list shows. The others are the longest unused; revoking all others ends them too. */
const MAX_LISTED = 100;

/** The live sessions, last used first. */
export async function listSessions(app: App, accountId: string): Promise<SessionDoc[]> {
  const now = app.clock.now();
  return findLiveSessions(
    app.mongo.db,
    accountId,
    { now, usedSince: idleSince(app.config, now) },
    MAX_LISTED,
  );
}

/** Doing so twice is no error and changes nothing. Throws not_found for another's session just as for one that does not exist. */
export async function revokeSession(app: App, accountId: string, sessionId: string): Promise<SessionDoc> {
  const session = await revokeSessionOf(app.mongo.db, accountId, sessionId, app.clock.now());
  if (session) return session;
  throw new AppError("not_found", {
    message: "There is no such session.",
    hint: "Use a session_id from the list of sessions.",
  });
}

/** Returns how many were ended. */
export async function revokeOtherSessions(
  app: App,
  accountId: string,
  keptSessionId: string,
): Promise<number> {
  return revokeSessionsExcept(app.mongo.db, accountId, keptSessionId, app.clock.now());
}

/** All of them, in the transaction that removes the account's credentials. Returns how many were ended. */
export async function endSessions(
  app: Pick<App, "mongo">,
  accountId: string,
  tx: TxContext,
): Promise<number> {
  return revokeSessionsExcept(app.mongo.db, accountId, "", tx.now, tx);
}
