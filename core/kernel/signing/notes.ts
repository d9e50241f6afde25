// Signs notes (c2sp.org/signed-note) with the key of receipts.
import { sign } from "node:crypto";
import { keyIdOf, NOTE_KEY } from "../../../runtime/config/log-witnesses.ts";
import type { SigningKey } from "../../../runtime/keys/signing-keys.ts";
import { publishKey, type SigningApp } from "./receipts.ts";

/** The text, which ends in a newline, with a signature under `name`; undefined where there is no key. The same for the same text and key. */
export async function signNote(app: SigningApp, name: string, text: string): Promise<string | undefined> {
  const [key] = app.signingKeys.receipts;
  if (!key) return undefined;
  await publishKey(app, key);
  return noteOf(key, name, text);
}

export function noteOf(key: SigningKey, name: string, text: string): string {
  const id = keyIdOf(name, NOTE_KEY, Buffer.from(key.x, "base64url"));
  const signature = sign(null, Buffer.from(text), key.privateKey);
  return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;
}
