// The form of an API key: `atl_gen_`, 30 base62 characters and a checksum of 6. With the checksum the gateway refuses typing errors, and
// secret scanners recognize keys, without the database. Only the SHA-256 of a key is stored or sent between processes.
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

export const KEY_KINDS = ["gen", "mem", "org", "adm"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^atl_(${KEY_KINDS.join("|")})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Makes a new key with about 178 bits of randomness. */
export function generateApiKey(kind: KeyKind): string {
  let random = "";
  for (let i = 0; i < RANDOM_LENGTH; i++) random += BASE62[randomInt(BASE62.length)];
  const body = `atl_${kind}_${random}`;
  return body + checksum(body);
}

/** Returns the kind of a well-formed key, or undefined if the form or the checksum is wrong. */
export function apiKeyKind(key: string): KeyKind | undefined {
  const kind = FORM.exec(key)?.[1] as KeyKind | undefined;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return kind && checksum(body) === key.slice(-CHECKSUM_LENGTH) ? kind : undefined;
}

/** Returns the SHA-256 of the whole key as lower-case hexadecimal. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Returns what may be shown of a key after its creation: the prefix and the last four characters. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, "atl_gen_".length)}…${key.slice(-4)}`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
