// The installation's secret, from which every signature that is not a service token's is made.
import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { readOrCreate } from "./read-or-create.ts";

const KEY_BYTES = 32;

/** The first signs and seals. What any of them has signed or sealed is good: the others are on their way in, or out. */
export type Secrets = readonly [string, ...string[]];

/** The first comes from the configuration, or else from the data folder, where the first process that asks makes it. */
export function loadSecrets(config: Pick<Config, "secret" | "secretsAccepted" | "dataDir">): Secrets {
  const own =
    config.secret ??
    readOrCreate(join(config.dataDir, "secret"), () => randomBytes(32).toString("base64url"));
  return [own, ...config.secretsAccepted];
}

/** A key for one purpose (RFC 5869), so that what is signed for one never passes for another. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));
}

/** The keys of all secrets for one purpose, in their order. */
export function deriveKeys(
  [first, ...others]: Secrets,
  purpose: string,
): readonly [Uint8Array, ...Uint8Array[]] {
  return [deriveKey(first, purpose), ...others.map((other) => deriveKey(other, purpose))];
}
