// Seals a member key while it is kept with a ticket: someone with the database alone can neither read it nor move it to another ticket.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKeys, type Secrets } from "../../../runtime/keys/secret.ts";

const PURPOSE = "atelier ticket key v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `owner` is what it belongs to: it can only be opened with the same owner. */
export function seal(secrets: Secrets, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const [key] = deriveKeys(secrets, PURPOSE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Undefined if none of the secrets has sealed it, or the text was changed or moved. */
export function unseal(secrets: Secrets, owner: string, sealed: string): string | undefined {
  for (const key of deriveKeys(secrets, PURPOSE)) {
    const text = open(key, owner, sealed);
    if (text !== undefined) return text;
  }
  return undefined;
}

function open(key: Uint8Array, owner: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const [nonce, tag, text] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
