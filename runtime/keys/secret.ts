// The secret of the installation. Every signature except those of service tokens is made from it.
import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { readOrCreate } from "./read-or-create.ts";

const KEY_BYTES = 32;

/** The first secret signs and seals. Whatever any of them signed or sealed is accepted: the others are being rotated in or out. */
export type Secrets = readonly [string, ...string[]];

/** The first secret comes from the configuration, or else from the data folder, where the first process that asks creates it. */
export function loadSecrets(config: Pick<Config, "secret" | "secretsAccepted" | "dataDir">): Secrets {
  const own =
    config.secret ??
    readOrCreate(join(config.dataDir, "secret"), () => randomBytes(32).toString("base64url"));
  return [own, ...config.secretsAccepted];
}

/** Derives a key for one purpose (RFC 5869), so that a signature for one purpose is never accepted for another. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));
}

/** Derives the keys of all secrets for one purpose, in the order of the secrets. */
export function deriveKeys(
  [first, ...others]: Secrets,
  purpose: string,
): readonly [Uint8Array, ...Uint8Array[]] {
  return [deriveKey(first, purpose), ...others.map((other) => deriveKey(other, purpose))];
}
