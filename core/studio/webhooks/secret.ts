// The secrets that sign an account's callbacks: created, shown once, and rotated in two steps.
import { randomBytes } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { createSecret, firstSecret, rotationOf, signingSecrets, switchSecret } from "./secret-rules.ts";
import type { SigningSecrets } from "./sign.ts";
import { findSecret, insertSecret, saveSecret } from "./store.ts";

const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks. */
export function generateSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export type Rotation = {
  /** When x-service-signature changes to the new secret; null if it already has. */
  switchesAt: Date | null;
  /** How long webhook-signature also carries a signature by the old secret; null if it does not. */
  previousUntil: Date | null;
};

/** The first step of a rotation, or the account's first secret. The secret is shown only in this answer. */
export async function rotateCallbackSecret(
  app: App,
  accountId: string,
): Promise<Rotation & { secret: string }> {
  const [now, secret] = [app.clock.now(), generateSecret()];
  const made = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const secrets = createSecret(await findSecret(app.mongo.db, accountId, tx), secret, now);
    await saveSecret(app.mongo.db, accountId, secrets, tx);
    return secrets;
  });
  return { secret, ...rotationOf(made, now) };
}

/** The second step. Throws invalid_request if no rotation waits for it. */
export async function switchCallbackSecret(app: App, accountId: string): Promise<Rotation> {
  const now = app.clock.now();
  const switched = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const secrets = switchSecret(await findSecret(app.mongo.db, accountId, tx), now);
    if (secrets) await saveSecret(app.mongo.db, accountId, secrets, tx);
    return secrets;
  });
  if (!switched) {
    throw new AppError("invalid_request", {
      message: "There is no new webhook secret to switch to.",
      issues: [{ path: "callback_secret", message: "has no new one next to it" }],
      hint: "Create one first; x-service-signature changes to it when you switch, or automatically after 24 hours.",
    });
  }
  return rotationOf(switched, now);
}

/** Whether the owner was ever shown a secret, and how far a rotation is. */
export async function getCallbackSecretState(
  app: App,
  accountId: string,
): Promise<Rotation & { known: boolean }> {
  const doc = await findSecret(app.mongo.db, accountId);
  if (!doc) return { known: false, switchesAt: null, previousUntil: null };
  return { known: doc.revealed, ...rotationOf(doc, app.clock.now()) };
}

/**
 * The secrets that sign a message sent at `at`. An account without a secret gets one that no one has seen yet, because every message is
 * signed. Owners get their own secret by creating one.
 */
export async function findSigningSecrets(app: App, accountId: string, at: Date): Promise<SigningSecrets> {
  const { db } = app.mongo;
  let doc = await findSecret(db, accountId);
  if (!doc) {
    await insertSecret(db, accountId, firstSecret(generateSecret(), false));
    // It is read again, because another worker may have been faster.
    doc = await findSecret(db, accountId);
  }
  if (!doc) throw new Error(`account ${accountId} has no webhook secret`);
  return signingSecrets(doc, at);
}
