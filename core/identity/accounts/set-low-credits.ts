// Sets the threshold for the low-credits mail of an account.
import { AppError } from "../../../proto/codes.ts";
import { saveLowCredits } from "./store.ts";
import type { App } from "../../kernel/app.ts";

const MAX_LOW_CREDITS = 1_000_000_000;

/**
 * Without a threshold no mail is sent. If the credits are already below it, a mail is sent the next time they rise above it and fall again.
 * Throws invalid_request.
 */
export async function setLowCredits(app: App, accountId: string, below: number | undefined): Promise<void> {
  if (below !== undefined && (!Number.isSafeInteger(below) || below < 1 || below > MAX_LOW_CREDITS))
    throw new AppError("invalid_request", {
      issues: [{ path: "below", message: `must be a whole number from 1 to ${MAX_LOW_CREDITS}` }],
    });
  await saveLowCredits(app.mongo.db, accountId, below);
}
