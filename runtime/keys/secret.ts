// The installation's secret, from which every signature that is not a service token's is made.
import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { readOrCreate } from "./service-token.ts";

const KEY_BYTES = 32;

/** Comes from the configuration, or else from the data folder, where the first process that asks makes it. */
export function loadSecret(config: Config): string {
  return (
    config.secret ?? readOrCreate(join(config.dataDir, "secret"), () => randomBytes(32).toString("base64url"))
  );
}

/** A key for one purpose (RFC 5869), so that what is signed for one never passes for another. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));
}
