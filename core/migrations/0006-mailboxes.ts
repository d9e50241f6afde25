// The free plan's credits come to one account of a mailbox: of accounts that share one, the oldest keeps them. Credits that were given stay.
import { foldMailbox } from "../accounts/mailbox.ts";
import {
  findMailboxes,
  hashMailbox,
  insertMailboxes,
  type MailboxDoc,
  readMailboxSalt,
} from "../accounts/store-mailboxes.ts";
import type { Migration } from "./migration.ts";

type Account = { _id: string; email: string; status: string; created_at: Date };

export const mailboxes: Migration = {
  version: 6,
  what: "the free plan's credits come to one account of each mailbox",
  batch: async ({ db, session, after, limit }) => {
    const salt = await readMailboxSalt(db);
    const accounts = db.collection<Account>("accounts");
    // Ids grow with time: the oldest account of a mailbox comes first.
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
    const ids = live.map(({ id }) => id);
    const known = new Map(await findMailboxes(db, ids, session));
    const made: MailboxDoc[] = [];
    const shared: string[] = [];
    for (const { account, id } of live) {
      const holder = known.get(id);
      if (holder && holder.account_id !== null && holder.account_id !== account._id) shared.push(account._id);
      if (holder) continue;
      const mailbox = { _id: id, account_id: account._id, given_at: account.created_at };
      known.set(id, mailbox);
      made.push(mailbox);
    }
    await insertMailboxes(db, made, session);
    if (shared.length > 0)
      await accounts.updateMany({ _id: { $in: shared } }, { $set: { welcome: "elsewhere" } }, { session });
    return next.at(-1)?._id ?? null;
  },
};
