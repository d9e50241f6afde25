// Links that were mailed for a change of an account's e-mail address. Named queries only; no decisions.
import { goneFields, hidden } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/**
 * One link. `change` goes to the new address and gives it to the account; `undo` goes to the address before and brings it back.
 *
 * Updates: once, when it is used, or made useless by another. Deletion: of a change by the next one, or by MongoDB after it expired; of an
 * undo with its account, because it tells which addresses the account had.
 */
export type EmailLinkDoc = {
  /** Lower-case hex SHA-256 of the token in the link. */
  _id: string;
  account_id: string;
  kind: "change" | "undo";
  from: string;
  to: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};

const KEPT_SECONDS = 3_600;

/** An export includes the account's former addresses: those with an undo link. */
const EMAIL_LINK_FIELDS = goneFields<EmailLinkDoc>()({
  ...hidden("_id", "account_id", "kind", "from", "created_at", "expires_at", "used_at"),
  to: "owner",
});

export const EMAIL_LINK_COLLECTION: CollectionSpec = {
  name: "email_links",
  holds: EMAIL_LINK_FIELDS,
  indexes: [
    {
      name: "account_newest",
      key: { account_id: 1, created_at: -1 },
      why: "the changes of an account's address",
    },
    {
      name: "expires_at",
      key: { expires_at: 1 },
      options: { expireAfterSeconds: KEPT_SECONDS, partialFilterExpression: { kind: "change" } },
      why: "MongoDB removes links to new addresses that have expired",
    },
  ],
};

const emailLinks = collectionNamed<EmailLinkDoc>("email_links");

export async function findEmailLink(
  db: Db,
  tokenSha256: string,
  { session }: ReadContext = {},
): Promise<EmailLinkDoc | null> {
  return emailLinks(db).findOne({ _id: tokenSha256 }, { ...(session && { session }) });
}

/** The newest first. */
export async function findEmailLinksOf(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<EmailLinkDoc[]> {
  return emailLinks(db)
    .find({ account_id: accountId }, { ...(session && { session }) })
    .sort({ created_at: -1 })
    .toArray();
}

/** Replaces the waiting links of its account with a link to a new address. */
export async function replaceChangeLink(db: Db, link: EmailLinkDoc, { session }: TxContext): Promise<void> {
  await emailLinks(db).deleteMany(
    { account_id: link.account_id, kind: "change", used_at: null },
    { session },
  );
  await emailLinks(db).insertOne(link, { session });
}

export async function insertEmailLink(db: Db, link: EmailLinkDoc, { session }: TxContext): Promise<void> {
  await emailLinks(db).insertOne(link, { session });
}

/** Invalidates these. */
export async function saveEmailLinksUsed(
  db: Db,
  links: readonly EmailLinkDoc[],
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await emailLinks(db).updateMany(
    { _id: { $in: links.map(({ _id }) => _id) }, used_at: null },
    { $set: { used_at: at } },
    { session },
  );
}

export async function deleteEmailLinksOf(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await emailLinks(db).deleteMany({ account_id: accountId }, { session });
}
