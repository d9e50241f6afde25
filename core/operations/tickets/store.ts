// Documents of tickets, with their messages. Named queries only; no decisions.
import type { Filter } from "mongodb";
import type { TicketKind, TicketState, TicketWriter } from "../../../proto/resources/ticket.ts";
import { goneFields, hidden, owner } from "../../base/documents/fields.ts";
import { inserting } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

export type MessageDoc = {
  from: TicketWriter;
  text: string;
  at: Date;
  /** The form's key; absent if it cannot be repeated. */
  form_key?: string;
};

/** A member key on its way to its owner. */
export type TicketKeyDoc = {
  key_id: string;
  /** Sealed with the installation's secret; absent once it was seen, or its time is over. */
  sealed?: string;
  until: Date;
  seen_at: Date | null;
};

/**
 * A ticket, with all that was said.
 *
 * Updates: messages, states, its key; always in a transaction that also writes the mail. Deletion: with its account.
 * Guarantees: an account has no more open ones than it has slots; a form makes one message, however often it is sent.
 */
export type TicketDoc = {
  _id: string;
  account_id: string;
  subject: string;
  kind: TicketKind;
  /** The order or job that it is about. */
  about: string | null;
  state: TicketState;
  /** The slot among the account's open tickets; absent once it is closed. */
  open_slot?: number;
  /** The key of the form that opened it; absent if it cannot be repeated. */
  form_key?: string;
  messages: MessageDoc[];
  key?: TicketKeyDoc;
  created_at: Date;
  updated_at: Date;
};

/** Without the messages. */
export type TicketHeadDoc = Omit<TicketDoc, "messages"> & { message_count: number };

const MESSAGE_FIELDS = goneFields<MessageDoc>()({
  ...owner("from", "text", "at"),
  form_key: "hidden",
});

const TICKET_FIELDS = goneFields<TicketDoc>()({
  ...owner("_id", "subject", "kind", "about", "state", "created_at", "updated_at"),
  ...hidden("account_id", "open_slot", "form_key", "key"),
  messages: { each: MESSAGE_FIELDS },
});

export const TICKET_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "tickets",
    holds: TICKET_FIELDS,
    indexes: [
      { name: "account_changed", key: { account_id: 1, updated_at: -1, _id: -1 }, why: "a user's tickets" },
      {
        name: "account_slot",
        key: { account_id: 1, open_slot: 1 },
        options: { unique: true, partialFilterExpression: { open_slot: { $exists: true } } },
        why: "no more open tickets than an account may have, however many are opened at a time",
      },
      {
        name: "account_form",
        key: { account_id: 1, form_key: 1 },
        options: { unique: true, partialFilterExpression: { form_key: { $exists: true } } },
        why: "a form that is sent twice opens one ticket",
      },
      { name: "state_changed", key: { state: 1, updated_at: -1, _id: -1 }, why: "support's list" },
      {
        name: "key_until",
        key: { "key.until": 1 },
        options: { partialFilterExpression: { "key.sealed": { $exists: true } } },
        why: "finds keys that no one opened in time",
      },
    ],
  },
];

const tickets = collectionNamed<TicketDoc>("tickets");

export async function findOpenSlots(db: Db, accountId: string, { session }: TxContext): Promise<number[]> {
  const found = await tickets(db)
    .find({ account_id: accountId, open_slot: { $exists: true } }, { session, projection: { open_slot: 1 } })
    .toArray();
  return found.flatMap(({ open_slot }) => (open_slot === undefined ? [] : [open_slot]));
}

export const insertTicket = inserting(tickets);

export async function findTicketOfForm(
  db: Db,
  { accountId, formKey }: { accountId: string; formKey: string },
): Promise<TicketDoc | null> {
  return tickets(db).findOne({ account_id: accountId, form_key: formKey });
}

/** Of any account, if none is named. */
export async function findTicket(
  db: Db,
  { ticketId, accountId }: { ticketId: string; accountId?: string | undefined },
  { session }: ReadContext = {},
): Promise<TicketDoc | null> {
  return tickets(db).findOne(
    { _id: ticketId, ...(accountId !== undefined && { account_id: accountId }) },
    session && { session },
  );
}

/** Replaces the whole document, which the same transaction has read and changed. */
export async function saveTicket(
  db: Db,
  { _id, ...ticket }: TicketDoc,
  { session }: TxContext,
): Promise<void> {
  await tickets(db).replaceOne({ _id }, ticket, { session });
}

/** Removes the sealed key; returns false if it has been taken already. */
export async function markKeySeen(
  db: Db,
  { ticketId, keyId }: { ticketId: string; keyId: string },
  at: Date,
): Promise<boolean> {
  const { modifiedCount } = await tickets(db).updateOne(
    { _id: ticketId, "key.key_id": keyId, "key.sealed": { $exists: true } },
    { $unset: { "key.sealed": "" }, $set: { "key.seen_at": at } },
  );
  return modifiedCount === 1;
}

/** Tickets whose key no one has looked at in time. */
export async function findUnseenKeys(db: Db, now: Date, limit: number): Promise<TicketDoc[]> {
  return tickets(db)
    .find({ "key.until": { $lte: now }, "key.sealed": { $exists: true } })
    .limit(limit)
    .toArray();
}

export async function dropSealedKey(
  db: Db,
  { ticketId, keyId }: { ticketId: string; keyId: string },
): Promise<void> {
  await tickets(db).updateOne({ _id: ticketId, "key.key_id": keyId }, { $unset: { "key.sealed": "" } });
}

/** Where a page ends: when its last row changed, and which row it was. */
export type Position = { updatedAt: Date; id: string };

/** The one that changed last comes first. */
export async function findTicketHeads(
  db: Db,
  wanted: {
    accountId?: string | undefined;
    state?: TicketState | undefined;
    /** Only those that changed later. */
    since?: Date;
    after?: Position | undefined;
  },
  limit: number,
): Promise<TicketHeadDoc[]> {
  const { accountId, state, since, after } = wanted;
  const filter: Filter<TicketDoc> = {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(state !== undefined && { state }),
    ...(since && { updated_at: { $gt: since } }),
    ...(after && {
      $or: [
        { updated_at: { $lt: after.updatedAt } },
        { updated_at: after.updatedAt, _id: { $lt: after.id } },
      ],
    }),
  };
  return tickets(db)
    .aggregate<TicketHeadDoc>([
      { $match: filter },
      { $sort: { updated_at: -1, _id: -1 } },
      { $limit: limit },
      { $set: { message_count: { $size: "$messages" } } },
      { $unset: ["messages", "key.sealed"] },
    ])
    .toArray();
}

/** With all messages, oldest first, for an export. */
export async function findWholeTickets(
  db: Db,
  { accountId, afterId }: { accountId: string; afterId: string | undefined },
  limit: number,
): Promise<TicketDoc[]> {
  return tickets(db)
    .find({ account_id: accountId, ...(afterId && { _id: { $gt: afterId } }) })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

export async function countTickets(db: Db, state: TicketState, most: number): Promise<number> {
  return tickets(db).countDocuments({ state }, { limit: most });
}

export async function deleteTickets(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await tickets(db).deleteMany({ account_id: accountId }, { session });
}
