// Signs notes (c2sp.org/signed-note) with the key of receipts.
import { createHash, sign } from "node:crypto";
import type { SigningKey } from "../../../runtime/keys/signing-keys.ts";
import { publishKey, type SigningApp } from "./receipts.ts";

const ED25519 = 1;
const ID_BYTES = 4;

/** The text, which ends in a newline, with a signature under `name`; undefined where there is no key. The same for the same text and key. */
export async function signNote(app: SigningApp, name: string, text: string): Promise<string | undefined> {
  const [key] = app.signingKeys.receipts;
  if (!key) return undefined;
  await publishKey(app, key);
  return noteOf(key, name, text);
}

export function noteOf(key: SigningKey, name: string, text: string): string {
  const publicKey = Buffer.from(key.x, "base64url");
  const id = createHash("sha256")
    .update(`${name}\n`)
    .update(Uint8Array.of(ED25519))
    .update(publicKey)
    .digest();
  const signature = sign(null, Buffer.from(text), key.privateKey);
  const signed = Buffer.concat([id.subarray(0, ID_BYTES), signature]).toString("base64");
  return `${text}\n— ${name} ${signed}\n`;
}
