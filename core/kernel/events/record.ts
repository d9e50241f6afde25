// Records the events of accounts in the transactions that cause them, and lists them.
import { hash } from "node:crypto";
import { encodeTime } from "ulid";
import type { AccountEvent } from "../../../proto/resources/event.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { type AccountEventDoc, countEvents, type EventData, findEventsAfter, insertEvents } from "./store.ts";

export type NewEvent = { readonly accountId: string; readonly event: AccountEvent; readonly data: EventData };

/** Crockford's base32, in which ids are written. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_LENGTH = 16;

/**
 * Records events of accounts whose events are wanted, and ignores the others. Each account costs one query even then, so transactions that
 * must be quick call it only for accounts with `events_on`.
 */
export async function recordEvents(
  { mongo: { db } }: Pick<App, "mongo">,
  tx: TxContext,
  news: readonly NewEvent[],
): Promise<void> {
  const rows: AccountEventDoc[] = [];
  for (const [accountId, own] of Map.groupBy(news, (one) => one.accountId)) {
    const last = await countEvents(db, accountId, own.length, tx);
    if (last === undefined) continue;
    for (const [i, { event, data }] of own.entries()) {
      const seq = last - own.length + 1 + i;
      const _id = eventId(accountId, seq, tx.now);
      rows.push({ _id, account_id: accountId, seq, event, created_at: tx.now, data, waits: true });
    }
  }
  await insertEvents(db, rows, tx);
}

/** Sorts by time like every id, and is the same for every try of a transaction. */
function eventId(accountId: string, seq: number, at: Date): string {
  const bytes = hash("sha256", `${accountId}:${seq}`, "buffer").subarray(0, RANDOM_LENGTH);
  return `evt_${encodeTime(at.getTime())}${[...bytes].map((byte) => DIGITS[byte % DIGITS.length]).join("")}`;
}

/** The events after this number, in order, and whether there are others behind them. */
export async function readEvents(
  { mongo: { db } }: Pick<App, "mongo">,
  accountId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: AccountEventDoc[]; hasMore: boolean }> {
  const found = await findEventsAfter(db, accountId, after, limit + 1);
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}
