// Access to the embedded MongoDB: two files in the data folder, which only this user can read. The key file admits the server's own
// processes, and the password of the only user is derived from it.
import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOrCreate } from "../keys/read-or-create.ts";
import { deriveKey } from "../keys/secret.ts";

export type MongodAccess = {
  readonly keyPath: string;
  /** The key with which the server's processes authenticate to each other. It gives access to every database, even one without users. */
  readonly key: string;
  readonly user: string;
  readonly password: string;
};

export const REPLICA_SET = "atelier";
/** MongoDB accepts 6 to 1024 characters of base64. */
const KEY_BYTES = 96;
const USER = "atelier";

/** Creates the key file on the first start, also if the data was written before key files existed. */
export function loadMongodAccess(folder: string): MongodAccess {
  const keyPath = join(folder, "mongo.key");
  const key = readOrCreate(keyPath, () => randomBytes(KEY_BYTES).toString("base64")).trim();
  // mongod refuses a key file that others may read, which a copy from a backup may be.
  chmodSync(keyPath, 0o600);
  const password = Buffer.from(deriveKey(key, "password of the embedded MongoDB")).toString("base64url");
  return { keyPath, key, user: USER, password };
}

/** The address that clients connect to. It is also written to a file, for the operator's own tools. */
export function mongodUri(
  port: number,
  access: MongodAccess | undefined,
  folder: string | undefined,
): string {
  const options = `replicaSet=${REPLICA_SET}`;
  if (!access || folder === undefined) return `mongodb://127.0.0.1:${port}/?${options}`;
  const uri = `mongodb://${access.user}:${access.password}@127.0.0.1:${port}/?${options}&authSource=admin`;
  const path = join(folder, "mongo.uri");
  writeFileSync(path, `${uri}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return uri;
}
