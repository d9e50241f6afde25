// The spending of keys with limits within one transaction: what its caps leave, and the mails to owners whose key nears one of them.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import {
  capMail,
  type CapNotice,
  type CapState,
  capStates,
  type KeyLimit,
  noticesOf,
  type Spent,
  spendAt,
} from "./cap-rules.ts";
import type { Identity } from "./rules.ts";
import { refundKeySpending, saveKeySpending } from "./store-keys.ts";
import type { CountedOn } from "./store.ts";

type KeyNotice = Pick<Identity, "account" | "key"> & { readonly notice: CapNotice };

/** What one transaction changes of the spending of keys with limits. */
export class SpendingWrites {
  readonly #spent = new Map<string, Spent>();
  readonly #notices: KeyNotice[] = [];
  readonly #refunded: CountedOn[] = [];
  readonly #tx: TxContext;

  constructor(tx: TxContext) {
    this.#tx = tx;
  }

  /** The caps of a key with this transaction's spending so far; none for a key without a limit. */
  caps(limit: KeyLimit | undefined): CapState[] {
    return limit ? capStates(this.#tx.now, { ...limit, spent: this.#spentOf(limit) }) : [];
  }

  /** Adds to the spending of the key, if it has limits. */
  spend({ limit, account, key }: Identity, credits: number): void {
    if (!limit) return;
    const { now } = this.#tx;
    const before = this.#spentOf(limit);
    const after = spendAt(now, before, credits);
    this.#spent.set(limit.key, after);
    for (const notice of noticesOf(now, limit.caps, before, after))
      this.#notices.push({ account, key, notice });
  }

  refund(counted: CountedOn): void {
    this.#refunded.push(counted);
  }

  /** Writes everything, and tells owners, by a mail and the account event key.limit: once for each key, limit, period and share. */
  async commit(app: Pick<App, "mongo" | "baseUrl">): Promise<void> {
    const tx = this.#tx;
    await saveKeySpending(app.mongo.db, this.#spent, tx);
    await refundKeySpending(app.mongo.db, this.#refunded, tx);
    for (const { account, key, notice } of this.#notices) {
      if (!key) continue;
      const { period, name, limit, used, percent } = notice;
      const accountId = account._id;
      const ref = `${key.key_id}:${period}:${name}:${limit}:${percent}`;
      const mail = { to: account.email, ...capMail(key.name, notice, app.baseUrl) };
      // After a refund the same share may be reached again.
      const isFirst =
        account.email === "" || (await queueMail(app, tx, { accountId, kind: "key.limit", ref, ...mail }));
      const data = { key_id: key.key_id, name: key.name, period, limit, used, percent };
      if (isFirst && account.events_on)
        await recordEvents(app, tx, [{ accountId, event: "key.limit", data }]);
    }
  }

  #spentOf({ key, spent }: KeyLimit): Spent {
    return this.#spent.get(key) ?? spent;
  }
}
