// Who may use the embedded MongoDB: whoever can read two files of the data folder, which is this user alone. The key file lets the server's
// own processes in. The password of the only user is derived from it.
import { chmodSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { deriveKey } from "../keys/secret.ts";
import { readOrCreate } from "../keys/read-or-create.ts";

export type MongodAccess = {
  readonly keyPath: string;
  /** The key that the server's processes show each other. It opens every database, even one without users. */
  readonly key: string;
  readonly user: string;
  readonly password: string;
};

export const REPLICA_SET = "atelier";
/** MongoDB takes 6 to 1024 characters of base64. */
const KEY_BYTES = 96;
const USER = "atelier";

/** Makes the key file on the first start, also for data that were written before there was one. */
export function loadMongodAccess(folder: string): MongodAccess {
  const keyPath = join(folder, "mongo.key");
  const key = readOrCreate(keyPath, () => randomBytes(KEY_BYTES).toString("base64")).trim();
  // mongod refuses one that others may read, as a copy out of a backup may be.
  chmodSync(keyPath, 0o600);
  const password = Buffer.from(deriveKey(key, "password of the embedded MongoDB")).toString("base64url");
  return { keyPath, key, user: USER, password };
}

/** The address that clients connect to. It is also kept in a file, for the operator's own tools. */
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
