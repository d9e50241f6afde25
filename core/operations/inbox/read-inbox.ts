// What is new for an account's owner, read from its approvals, jobs, tickets and orders. Only the time of the read mark is stored.
import type { InboxEntryInput } from "../../../proto/types/atelier/v1/InboxEntry.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { listWaiting } from "../../identity/approvals/answer.ts";
import { whatFor } from "../../identity/approvals/rules.ts";
import type { App } from "../../kernel/app.ts";
import { listMoney } from "../../shop/orders/list-orders.ts";
import { listEnded } from "../../studio/jobs/list.ts";
import { listAnswered } from "../tickets/read-tickets.ts";

const MAX_ENTRIES = 50;
const SHOWN_MS = 30 * 24 * 60 * 60 * 1000;

export type InboxEntry = Omit<InboxEntryInput, "at" | "unread"> & { readonly at: Date };

/** Approvals that wait, then everything else of the last 30 days, newest first. */
export async function listInbox(
  app: App,
  account: AccountDoc,
): Promise<(InboxEntry & { unread: boolean })[]> {
  const entries = await readSince(app, account._id, oldestShown(app));
  const { inbox_read_at: readAt } = account;
  return entries.map((entry) => ({
    ...entry,
    unread: entry.kind === "approval" || readAt === undefined || entry.at > readAt,
  }));
}

/** The number of unread entries of listInbox. It asks only for what is newer than the read mark. */
export async function countUnread(app: App, { _id, inbox_read_at: readAt }: AccountDoc): Promise<number> {
  const oldest = oldestShown(app);
  return (await readSince(app, _id, readAt && readAt > oldest ? readAt : oldest)).length;
}

function oldestShown({ clock }: App): Date {
  return new Date(clock.now().getTime() - SHOWN_MS);
}

async function readSince(app: App, accountId: string, since: Date): Promise<InboxEntry[]> {
  const page = { since, limit: MAX_ENTRIES };
  const [waiting, ended, answered, money, models] = await Promise.all([
    listWaiting(app, accountId),
    listEnded(app, accountId, page),
    listAnswered(app, accountId, page),
    listMoney(app, accountId, since),
    app.models(),
  ]);
  const approvals = waiting.map((doc): InboxEntry => {
    const { confirmation_id: id, created_at: at, key_name, credits } = doc;
    return { kind: "approval", id, at, about: whatFor(doc, models), key_name, credits };
  });
  const others: InboxEntry[] = [
    ...ended.map(({ _id: id, state: kind, ended_at: at, prompt: about, modality }) => ({
      kind,
      id,
      at,
      about,
      modality,
    })),
    ...answered.map(({ _id: id, updated_at: at, subject: about }) => ({ kind: "answer", id, at, about })),
    ...money.map(({ order: { _id: id, items, receipt_number, amount_cents, tax_cents }, kind, at }) => ({
      kind,
      id,
      at,
      about: items.map(({ name }) => name).join(", "),
      amount_cents: amount_cents + tax_cents,
      ...(receipt_number !== null && { receipt_number }),
    })),
  ];
  const newestFirst = others.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return [...approvals, ...newestFirst].slice(0, MAX_ENTRIES);
}
