// Sign-in links and sessions. Named queries only; no decisions.
import {
  counted,
  goneFields,
  type GoneFields,
  hidden,
  keptFields,
  owner,
} from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";
import { EMAIL_LINK_COLLECTION } from "./store-email-links.ts";
import { PASSKEY_COLLECTIONS } from "./store-passkeys.ts";

/**
 * A link that was sent to an e-mail address.
 *
 * Updates: with each wrong code; once, when it is used. Deletion: by the next link to the address, or by MongoDB, an hour after it expired. Guarantees: at most one session comes of it.
 */
export type LinkDoc = {
  /** Lower-case hex SHA-256 of the token in the link. */
  _id: string;
  email: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  /** Digest of the code that was mailed with the link. Absent in links without a code. */
  code_digest?: string;
  /** How many wrong codes were tried. Absent if none was. */
  code_tries?: number;
};

/**
 * When mails with links were sent to one mailbox, or requested by one network; when one address or network created accounts. Updates: with
 * each mail, in the transaction that stores its link; with each account, in the transaction that creates it. Deletion: by MongoDB, once
 * none of them counts.
 */
export type QuotaDoc = {
  /** `email:` and the SHA-256 of the folded address, `network:` and the network; `accounts:` before an address or a network. */
  _id: string;
  sent: Date[];
  expires_at: Date;
};

/**
 * One signed-in browser.
 *
 * Updates: last use, to the minute; revocation. Deletion: with its account, or by MongoDB, an hour after it expired.
 */
export type SessionDoc = {
  _id: string;
  account_id: string;
  user_agent: string;
  /** The network from which it was opened. Absent in sessions from before it was stored. */
  network?: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
};

/** Later than the expiry itself, so that clocks need not agree to the second on what is still valid. */
const KEPT_SECONDS = 3_600;

const LINK_FIELDS = goneFields<LinkDoc>()({
  ...hidden("_id", "created_at", "expires_at", "used_at", "code_digest", "code_tries"),
  email: "owner",
});

/** Digests and networks are kept for a day, so that deleting an account does not reset the limits. */
const QUOTA_FIELDS = keptFields<QuotaDoc>()({
  ...counted("_id", "sent", "expires_at"),
});

/** The class of each field of a session, from its owner's view. */
export const SESSION_FIELDS = {
  ...hidden("_id", "account_id", "expires_at", "revoked_at"),
  ...owner("user_agent", "network", "created_at", "last_seen_at"),
} as const;

export const SESSION_COLLECTIONS: readonly CollectionSpec[] = [
  EMAIL_LINK_COLLECTION,
  ...PASSKEY_COLLECTIONS,
  {
    name: "sign_in_links",
    holds: LINK_FIELDS,
    indexes: [
      expiryIndex("MongoDB removes links that have expired", KEPT_SECONDS),
      { name: "email", key: { email: 1 }, why: "a new link ends the older ones of its address" },
    ],
  },
  {
    name: "sign_in_quotas",
    holds: QUOTA_FIELDS,
    indexes: [expiryIndex("MongoDB removes counts that count no more", KEPT_SECONDS)],
  },
  {
    name: "sessions",
    holds: SESSION_FIELDS satisfies GoneFields<SessionDoc>,
    indexes: [
      {
        name: "account_seen",
        key: { account_id: 1, last_seen_at: -1 },
        why: "the sessions of an account, the last used first",
      },
      expiryIndex("MongoDB removes sessions that have expired", KEPT_SECONDS),
    ],
  },
];

const links = collectionNamed<LinkDoc>("sign_in_links");
const quotas = collectionNamed<QuotaDoc>("sign_in_quotas");
const sessions = collectionNamed<SessionDoc>("sessions");

/** Replaces all links of its address with this one. */
export async function replaceLinks(db: Db, link: LinkDoc, { session }: TxContext): Promise<void> {
  await links(db).deleteMany({ email: link.email }, { session });
  await links(db).insertOne(link, { session });
}

export async function findQuotas(
  db: Db,
  ids: readonly string[],
  { session }: TxContext,
): Promise<Map<string, QuotaDoc>> {
  const found = await quotas(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
  return new Map(found.map((doc) => [doc._id, doc]));
}

export async function saveQuotas(db: Db, docs: readonly QuotaDoc[], { session }: TxContext): Promise<void> {
  for (const { _id, ...fields } of docs)
    await quotas(db).updateOne({ _id }, { $set: fields }, { upsert: true, session });
}

export async function findLink(
  db: Db,
  tokenSha256: string,
  { session }: ReadContext = {},
): Promise<LinkDoc | null> {
  return links(db).findOne({ _id: tokenSha256 }, { ...(session && { session }) });
}

export async function saveLinkUse(
  db: Db,
  tokenSha256: string,
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await links(db).updateOne({ _id: tokenSha256 }, { $set: { used_at: at } }, { session });
}

export async function saveWrongCode(db: Db, tokenSha256: string, { session }: TxContext): Promise<void> {
  await links(db).updateOne({ _id: tokenSha256 }, { $inc: { code_tries: 1 } }, { session });
}

export async function insertSession(db: Db, doc: SessionDoc, { session }: TxContext): Promise<void> {
  await sessions(db).insertOne(doc, { session });
}

export async function findSession(db: Db, accountId: string, sessionId: string): Promise<SessionDoc | null> {
  return sessions(db).findOne({ _id: sessionId, account_id: accountId });
}

/** Moves the last use forward, never back. */
export async function saveSessionUse(db: Db, accountId: string, sessionId: string, at: Date): Promise<void> {
  await sessions(db).updateOne({ _id: sessionId, account_id: accountId }, { $max: { last_seen_at: at } });
}

/** The last used first. */
export async function findLiveSessions(
  db: Db,
  accountId: string,
  { now, usedSince }: { now: Date; usedSince: Date },
  limit: number,
): Promise<SessionDoc[]> {
  return sessions(db)
    .find({
      account_id: accountId,
      revoked_at: null,
      expires_at: { $gt: now },
      last_seen_at: { $gt: usedSince },
    })
    .sort({ last_seen_at: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

/** A session that is already revoked keeps its time. Returns the session, or null if the account has none with this id. */
export async function revokeSessionOf(
  db: Db,
  accountId: string,
  sessionId: string,
  now: Date,
): Promise<SessionDoc | null> {
  const revoked = await sessions(db).findOneAndUpdate(
    { _id: sessionId, account_id: accountId, revoked_at: null },
    { $set: { revoked_at: now } },
    { returnDocument: "after" },
  );
  return revoked ?? findSession(db, accountId, sessionId);
}

/** Sessions that are still stored, including ended ones, the last used first. */
export async function findRecentSessions(
  db: Db,
  accountId: string,
  limit: number,
  { session }: TxContext,
): Promise<SessionDoc[]> {
  return sessions(db)
    .find({ account_id: accountId }, { session })
    .sort({ last_seen_at: -1 })
    .limit(limit)
    .toArray();
}

/** Returns how many were revoked. */
export async function revokeSessionsExcept(
  db: Db,
  accountId: string,
  keptSessionId: string,
  now: Date,
  { session }: ReadContext = {},
): Promise<number> {
  const { modifiedCount } = await sessions(db).updateMany(
    { account_id: accountId, _id: { $ne: keptSessionId }, revoked_at: null, expires_at: { $gt: now } },
    { $set: { revoked_at: now } },
    { ...(session && { session }) },
  );
  return modifiedCount;
}

export async function deleteSessionsOf(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await sessions(db).deleteMany({ account_id: accountId }, { session });
}

export async function deleteLinksTo(db: Db, email: string, { session }: TxContext): Promise<void> {
  await links(db).deleteMany({ email }, { session });
}
