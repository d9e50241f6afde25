// A bounded look at the newest entries of the ledger, for the operator's page. The audit looks at all of them.
import { findNewestEntries } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { hashFits } from "./rules.ts";

const LOOKED_AT = 200;

export type NewestEntries = {
  readonly entries: number;
  /** When the newest entry was made; undefined if there is none. */
  readonly newest: Date | undefined;
  /** Ids of entries whose hash does not fit them, or does not follow from the entry before. */
  readonly wrong: readonly string[];
};

export async function checkNewestEntries(app: Pick<App, "mongo">, limit = LOOKED_AT): Promise<NewestEntries> {
  const found = await findNewestEntries(app.mongo.db, limit);
  const byNumber = new Map(found.map((entry) => [`${entry.account_id} ${entry.seq}`, entry]));
  const wrong = found.filter((entry) => {
    const before = byNumber.get(`${entry.account_id} ${entry.seq - 1}`);
    return !hashFits(entry) || (before !== undefined && before.hash !== entry.prev_hash);
  });
  return {
    entries: found.length,
    newest: found.reduce<Date | undefined>(
      (latest, { created_at: at }) => (latest && latest > at ? latest : at),
      undefined,
    ),
    wrong: wrong.map(({ _id }) => _id),
  };
}
