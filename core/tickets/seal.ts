// Seals a member key for as long as it lies on a ticket: somebody with the database alone can neither read it nor move it to another
// ticket.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const PURPOSE = "atelier ticket key v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `owner` is what it belongs to: only with the same one can it be opened. */
export function seal(secret: string, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** undefined where the secret is another now, or the text was changed or moved. */
export function unseal(secret: string, owner: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const [nonce, tag, text] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", PURPOSE, 32));
}
