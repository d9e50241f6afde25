// What the owner of an account sets: its name, the details on its invoices, its time zone, and its marks for mails and the inbox.
import { invalidField } from "../../../proto/codes.ts";
import { isTimeZone } from "../../../runtime/local-times.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { startRecording } from "../../kernel/events/forward.ts";
import { accountNotFound } from "./get-account.ts";
import { checkBilling, checkName } from "./rules.ts";
import { saveEventsOn } from "./store-in-tx.ts";
import { type Billing, saveBilling, saveInboxRead, saveLowCredits, saveName, saveTimeZone } from "./store.ts";

const MAX_LENGTH = 64;
const MAX_LOW_CREDITS = 1_000_000_000;

/** Returns the name as it is stored. Throws invalid_request. */
export async function changeName(app: App, accountId: string, wanted: string): Promise<string> {
  const name = checkName(wanted);
  await saveName(app.mongo.db, accountId, name);
  return name;
}

/** Returns the details as they are stored. Throws invalid_request. */
export async function changeBilling(app: App, accountId: string, wanted: Billing): Promise<Billing> {
  const billing = checkBilling(wanted);
  await saveBilling(app.mongo.db, accountId, billing);
  return billing;
}

/** An IANA name. Throws invalid_request. */
export async function setTimeZone(app: App, accountId: string, timeZone: string): Promise<void> {
  if (timeZone.length > MAX_LENGTH || !isTimeZone(timeZone))
    throw invalidField("time_zone", "must be the name of a time zone, such as Europe/Berlin");
  await saveTimeZone(app.mongo.db, accountId, timeZone);
}

/**
 * Without a threshold no mail is sent. If the credits are already below it, a mail is sent the next time they rise above it and fall again.
 * Throws invalid_request.
 */
export async function setLowCredits(app: App, accountId: string, below: number | undefined): Promise<void> {
  if (below !== undefined && (!Number.isSafeInteger(below) || below < 1 || below > MAX_LOW_CREDITS))
    throw invalidField("below", `must be a whole number from 1 to ${MAX_LOW_CREDITS}`);
  await saveLowCredits(app.mongo.db, accountId, below);
}

/** A mark never goes back, and never into the future. Throws invalid_request for an Invalid Date. */
export async function markInboxRead(app: App, accountId: string, until: Date): Promise<void> {
  if (Number.isNaN(until.getTime()))
    throw invalidField("until", "must be a time, such as 2026-01-31T12:00:00Z");
  const now = app.clock.now();
  await saveInboxRead(app.mongo.db, accountId, until < now ? until : now);
}

/** Safe to repeat. Throws not_found for a deleted account. */
export async function switchEventsOn(
  app: Pick<App, "mongo">,
  accountId: string,
  tx: TxContext,
): Promise<void> {
  if (!(await saveEventsOn(app.mongo.db, accountId, tx))) throw accountNotFound();
  await startRecording(app, accountId, tx);
}
