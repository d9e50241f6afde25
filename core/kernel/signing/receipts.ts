// Signs receipts (JWS, RFC 7515, with EdDSA, RFC 8037), and publishes the public keys that verify them.
import { CompactSign } from "jose";
import { RECEIPT_TYPE } from "../../../proto/resources/receipt.ts";
import type { SigningKey } from "../../../runtime/keys/signing-keys.ts";
import type { App } from "../app.ts";
import { findReceiptKeys, type ReceiptKeyDoc, saveReceiptKey } from "./store.ts";

export type SigningApp = Pick<App, "mongo" | "clock" | "signingKeys">;

/** Keys that are stored already, as this process knows. */
const stored = new WeakMap<SigningKey, Promise<void>>();

/** The same string for the same payload and key; undefined where there is no key. */
export async function signReceipt(app: SigningApp, payload: object): Promise<string | undefined> {
  const [key] = app.signingKeys.receipts;
  if (!key) return undefined;
  await publishKey(app, key);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "EdDSA", typ: RECEIPT_TYPE, kid: key.kid })
    .sign(key.privateKey);
}

/** Those that this process may sign with, and all that have signed. */
export async function listReceiptKeys(app: SigningApp): Promise<Pick<ReceiptKeyDoc, "_id" | "x">[]> {
  const own = app.signingKeys.receipts.map(({ kid, x }) => ({ _id: kid, x }));
  const known = await findReceiptKeys(app.mongo.db);
  return [...new Map([...own, ...known].map((key) => [key._id, key])).values()];
}

/** Once a process, before the first signature. */
export async function publishKey({ mongo, clock }: SigningApp, key: SigningKey): Promise<void> {
  let storing = stored.get(key);
  if (!storing) {
    storing = saveReceiptKey(mongo.db, { _id: key.kid, x: key.x, added_at: clock.now() });
    stored.set(key, storing);
    storing.catch(() => stored.delete(key));
  }
  return storing;
}
