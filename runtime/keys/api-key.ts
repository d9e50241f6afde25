// The form of a key: `atl_gen_` + 30 base62 characters + 6 of checksum. The checksum lets typos and secret scanners be
// answered without the database. Only the SHA-256 of a key is ever stored or sent between processes.
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

export const KEY_KINDS = ["gen", "mem", "org", "adm"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^atl_(${KEY_KINDS.join("|")})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key of about 178 bits of randomness. */
export function generateApiKey(kind: KeyKind): string {
  let random = "";
  for (let i = 0; i < RANDOM_LENGTH; i++) random += BASE62[randomInt(BASE62.length)];
  const body = `atl_${kind}_${random}`;
  return body + checksum(body);
}

/** The kind of a well-formed key, or undefined when the form or the checksum is wrong. */
export function apiKeyKind(key: string): KeyKind | undefined {
  const kind = FORM.exec(key)?.[1] as KeyKind | undefined;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return kind && checksum(body) === key.slice(-CHECKSUM_LENGTH) ? kind : undefined;
}

/** Lower-case hex SHA-256 of the whole key. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** What may be shown after creation: prefix and last four characters. */
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
