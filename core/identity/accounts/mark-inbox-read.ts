// Stores until when an account's owner has read their inbox.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { saveInboxRead } from "./store.ts";

/** A mark never goes back, and never into the future. Throws invalid_request for an Invalid Date. */
export async function markInboxRead(app: App, accountId: string, until: Date): Promise<void> {
  if (Number.isNaN(until.getTime()))
    throw new AppError("invalid_request", {
      issues: [{ path: "until", message: "must be a time, such as 2026-01-31T12:00:00Z" }],
    });
  const now = app.clock.now();
  await saveInboxRead(app.mongo.db, accountId, until < now ? until : now);
}
