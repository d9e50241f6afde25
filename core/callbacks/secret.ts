// The secrets that sign an account's callbacks: made, shown once, rotated with a day of overlap.
import { randomBytes } from "node:crypto";
import type { App } from "../app.ts";
import type { SigningSecrets } from "./sign.ts";
import { findSecret, insertSecret, replaceSecret } from "./store.ts";

const SECRET_BYTES = 32;
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new secret in the form of Standard Webhooks. */
function generateSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/**
 * Makes or replaces the secret, which is shown in this answer only. `previousUntil` is how long the old one still signs; null when
 * there was none that anybody knew.
 */
export async function rotateCallbackSecret(
  app: App,
  accountId: string,
): Promise<{ secret: string; previousUntil: Date | null }> {
  const until = new Date(app.clock.now().getTime() + OVERLAP_MS);
  const doc = await replaceSecret(app.mongo.db, accountId, generateSecret(), until);
  return { secret: doc.secret, previousUntil: doc.previous_until };
}

/** Whether the owner was ever given a secret, and until when the one before it signs too; null when it does not. */
export async function describeCallbackSecret(
  app: App,
  accountId: string,
): Promise<{ known: boolean; previousUntil: Date | null }> {
  const doc = await findSecret(app.mongo.db, accountId);
  const until = doc?.previous_until ?? null;
  return { known: doc?.revealed ?? false, previousUntil: until && until > app.clock.now() ? until : null };
}

/**
 * What a message sent at `at` is signed with. An account without a secret gets one that nobody has seen yet: every message
 * is signed, and the owner gets a secret of their own by rotating.
 */
export async function findSigningSecrets(app: App, accountId: string, at: Date): Promise<SigningSecrets> {
  const { db } = app.mongo;
  let doc = await findSecret(db, accountId);
  if (!doc) {
    const secret = generateSecret();
    await insertSecret(db, { _id: accountId, secret, previous: null, previous_until: null, revealed: false });
    // Read again: another worker may have been faster.
    doc = await findSecret(db, accountId);
  }
  if (!doc) throw new Error(`account ${accountId} has no callback secret`);
  const overlaps = doc.previous_until !== null && at < doc.previous_until;
  return { current: doc.secret, previous: overlaps ? doc.previous : null };
}
