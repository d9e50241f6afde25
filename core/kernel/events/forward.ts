// The way of events on to the endpoints of their accounts: each is handed out once.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import {
  type AccountEventDoc,
  findEvent,
  findWaitingEvents,
  insertEventCount,
  saveForwarded,
} from "./store.ts";

type WithMongo = Pick<App, "mongo">;

/** From now on the events of the account are recorded. Safe to repeat. */
export async function startRecording({ mongo }: WithMongo, accountId: string, tx: TxContext): Promise<void> {
  await insertEventCount(mongo.db, accountId, tx);
}

export async function hasWaitingEvents({ mongo }: WithMongo): Promise<boolean> {
  return (await findWaitingEvents(mongo.db, 1)).length > 0;
}

/** The oldest events that were not handed out yet; they are once the transaction commits. */
export async function takeWaitingEvents(
  { mongo: { db } }: WithMongo,
  limit: number,
  tx: TxContext,
): Promise<AccountEventDoc[]> {
  const waiting = await findWaitingEvents(db, limit, tx);
  await saveForwarded(db, waiting, tx);
  return waiting;
}

/** Undefined if it is older than 30 days, or of another account. */
export async function getEvent(
  { mongo }: WithMongo,
  accountId: string,
  eventId: string,
): Promise<AccountEventDoc | undefined> {
  return (await findEvent(mongo.db, accountId, eventId)) ?? undefined;
}
