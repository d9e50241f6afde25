// The threshold below which an account's owner wants to be told that credits are few.
import { AppError } from "../../proto/codes.ts";
import { saveLowCredits } from "./store.ts";
import type { App } from "../app.ts";

const MAX_LOW_CREDITS = 1_000_000_000;

/** None ends it. Below it already, the account is told of when it has risen and falls again. Throws invalid_request. */
export async function setLowCredits(app: App, accountId: string, below: number | undefined): Promise<void> {
  if (below !== undefined && (!Number.isSafeInteger(below) || below < 1 || below > MAX_LOW_CREDITS))
    throw new AppError("invalid_request", {
      issues: [{ path: "below", message: `must be a whole number from 1 to ${MAX_LOW_CREDITS}` }],
    });
  await saveLowCredits(app.mongo.db, accountId, below);
}
