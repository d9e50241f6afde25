// The free plan's credits come to one account of a mailbox: of accounts that share one, the oldest keeps them. Credits that were given stay.
//
// Accounts that a process of an older release opens after this has passed them, during a rolling upgrade, are not counted: each keeps the free
// plan's credits, and the next account of its mailbox counts as the first. There are at most as many as were opened between the migration and
// the end of the last older process; an upgrade that stops the older processes first has none.
import { randomBytes } from "node:crypto";
import { foldMailbox, hashMailbox } from "../../../runtime/mailbox.ts";
import type { Db } from "../mongo/client.ts";
import type { Migration } from "./migration.ts";

type Account = { _id: string; email: string; status: string; created_at: Date };
type Mailbox = { _id: string; account_id: string | null; given_at: Date | null };

const SALT_BYTES = 32;

export const mailboxes: Migration = {
  version: 6,
  what: "the free plan's credits come to one account of each mailbox",
  batch: async ({ db, session, after, limit }) => {
    const salt = await readSalt(db);
    const accounts = db.collection<Account>("accounts");
    const kept = db.collection<Mailbox>("mailboxes");
    // Ids grow with time, so the oldest account of a mailbox comes first.
    const next = await accounts
      .find(after === null ? {} : { _id: { $gt: after } }, {
        session,
        projection: { email: 1, status: 1, created_at: 1 },
      })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const live = next
      .filter(({ status }) => status !== "deleted")
      .map((account) => ({ account, id: hashMailbox(salt, foldMailbox(account.email)) }));
    const known = new Map(
      (await kept.find({ _id: { $in: live.map(({ id }) => id) } }, { session }).toArray()).map((doc) => [
        doc._id,
        doc,
      ]),
    );
    const made: Mailbox[] = [];
    const shared: string[] = [];
    for (const { account, id } of live) {
      const holder = known.get(id);
      if (holder && holder.account_id !== null && holder.account_id !== account._id) shared.push(account._id);
      if (holder) continue;
      const mailbox = { _id: id, account_id: account._id, given_at: account.created_at };
      known.set(id, mailbox);
      made.push(mailbox);
    }
    if (made.length > 0) await kept.insertMany(made, { session });
    if (shared.length > 0)
      await accounts.updateMany({ _id: { $in: shared } }, { $set: { welcome: "elsewhere" } }, { session });
    return next.at(-1)?._id ?? null;
  },
};

/** Created by the first process that asks, outside the batch, so that all see the same salt. */
async function readSalt(db: Db): Promise<string> {
  const salt = await db
    .collection<{ _id: "salt"; salt: string }>("mailbox_salt")
    .findOneAndUpdate(
      { _id: "salt" },
      { $setOnInsert: { salt: randomBytes(SALT_BYTES).toString("hex") } },
      { upsert: true, returnDocument: "after" },
    );
  if (!salt) throw new Error("the salt of mailboxes was not kept");
  return salt.salt;
}
