// Checks a limited number of the newest ledger entries for the operator's page. The audit checks all of them.
import { findNewestEntries } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { hashFits } from "./rules.ts";

const LOOKED_AT = 200;

export type NewestEntries = {
  readonly entries: number;
  /** The time of the newest entry; undefined if there is none. */
  readonly newest: Date | undefined;
  /** The ids of entries whose hash is wrong or does not follow from the previous entry. */
  readonly wrong: readonly string[];
};

export async function checkNewestEntries(app: Pick<App, "mongo">): Promise<NewestEntries> {
  const found = await findNewestEntries(app.mongo.db, LOOKED_AT);
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
