// Recounts the holds of an account beside its ledger: each is compared with its entries when all of them were read.
import { holdOfEntry } from "../../../proto/resources/credits.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import { countHolds, findHolds } from "../../identity/holds/store.ts";
import type { Books } from "./audit-archive.ts";
import { checkHold } from "./hold-rules.ts";

const PER_BATCH = 500;

export type HeldByServices = { readonly held: number; readonly heldOf: ReadonlyMap<string, number> };

export class HoldsAudit {
  readonly #books: Books;
  readonly #wrong: string[];
  readonly #open = new Map<string, LedgerDoc[]>();
  #ended = new Map<string, LedgerDoc[]>();
  #seen = 0;
  readonly #heldOf = new Map<string, number>();
  #held = 0;

  constructor(books: Books, wrong: string[]) {
    this.#books = books;
    this.#wrong = wrong;
  }

  /** Takes the next entry of the ledger. */
  async add(entry: LedgerDoc): Promise<void> {
    const holdId = holdOfEntry(entry._id);
    if (holdId === undefined) return;
    const before = this.#open.get(holdId);
    const entries = [...(before ?? []), entry];
    if (!before) this.#seen += 1;
    this.#open.set(holdId, entries);
    if (entries.reduce((sum, { hold }) => sum + hold, 0) !== 0) return;
    this.#open.delete(holdId);
    this.#ended.set(holdId, entries);
    if (this.#ended.size < PER_BATCH) return;
    await this.#check(this.#ended);
    this.#ended = new Map();
  }

  /** Compares the rest, and returns the held credits in total and of each grant. */
  async end(): Promise<HeldByServices> {
    await this.#check(this.#ended);
    await this.#check(this.#open);
    const { db, account, snapshot, has } = this.#books;
    const stored = has("holds") ? await countHolds(db, account._id, snapshot) : 0;
    if (stored !== this.#seen)
      this.#wrong.push(`ledger: has the entries of ${this.#seen} holds, and ${stored} are there`);
    return { held: this.#held, heldOf: this.#heldOf };
  }

  async #check(all: ReadonlyMap<string, LedgerDoc[]>): Promise<void> {
    if (all.size === 0) return;
    const { db, account, snapshot, spending } = this.#books;
    const found = await findHolds(db, [...all.keys()], snapshot);
    for (const [holdId, entries] of all) {
      const hold = found.get(holdId);
      this.#wrong.push(...checkHold(account._id, holdId, hold, entries));
      spending.add(hold?.counted_on, entries);
      if (hold?.state !== "held") continue;
      this.#held += hold.credits;
      for (const { grant_id, amount } of hold.held_from ?? [])
        this.#heldOf.set(grant_id, (this.#heldOf.get(grant_id) ?? 0) + amount);
    }
  }
}
