// Makes a started mongod the primary of a replica set with one member, which transactions and change streams need. This is the only file
// outside core that uses the driver: it talks to the server before there is any database.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Document, MongoClient, type MongoClientOptions, MongoServerError } from "mongodb";
import { type MongodAccess, REPLICA_SET } from "./access.ts";

const NOT_YET_INITIALIZED = 94;
const USER_NOT_FOUND = 11;
const POLL_MS = 20;
/** The time limit for connecting. The driver's own 30 s would delay the start for as long if the server froze during a handshake. */
const CONNECT_TIMEOUT_MS = 4_000;
/** The user may read and write all of the service's data, indexes, and what the runbook inspects, but none of the server's own settings. */
const ROLES = ["readWriteAnyDatabase", "dbAdminAnyDatabase", "clusterMonitor"];

/**
 * Waits until the server on `port` is primary. On the first start it initiates the set, and it moves the one member to this port if the
 * data was last served on another. With `access`, it also creates the one user. Returns false if `signal` fires first.
 */
export async function becomePrimary(
  port: number,
  signal: AbortSignal,
  access: MongodAccess | undefined,
): Promise<boolean> {
  while (!signal.aborted) {
    // A client whose first connection failed stays closed, so it is created only once the port is open.
    if (await isListening(port)) {
      const client = clientOf(port, access);
      try {
        await client.connect();
        const run = (command: Document) => client.db("admin").command(command);
        const isPrimary = await configureAndWait(run, port, signal);
        if (isPrimary && access) await setUser(run, access);
        return isPrimary;
      } catch (error) {
        // A lost connection is retried; a refused command is a real failure.
        if (error instanceof MongoServerError && !isPassing(error)) throw error;
      } finally {
        await client.close();
      }
    }
    await delay(POLL_MS);
  }
  return false;
}

/** Makes the server on `port` write a checkpoint: a start after a crash repeats only what is written later. */
export async function writeCheckpoint(port: number, access: MongodAccess | undefined): Promise<void> {
  const client = clientOf(port, access);
  try {
    await client.db("admin").command({ fsync: 1 });
  } finally {
    await client.close();
  }
}

function clientOf(port: number, access: MongodAccess | undefined): MongoClient {
  return new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    compressors: "none",
    ...asServer(access),
  });
}

async function configureAndWait(
  run: (command: Document) => Promise<Document>,
  port: number,
  signal: AbortSignal,
): Promise<boolean> {
  await configure(run, port);
  while (!signal.aborted) {
    if ((await run({ hello: 1 }))["isWritablePrimary"]) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** With the key file's content the server grants all rights, as to its own processes, before any user exists. */
function asServer(access: MongodAccess | undefined): MongoClientOptions {
  if (!access) return {};
  return {
    auth: { username: "__system", password: access.key },
    authSource: "local",
    authMechanism: "SCRAM-SHA-256",
  };
}

/** The user that the service signs in as, with the password that is derived from this key file. */
async function setUser(run: (command: Document) => Promise<Document>, access: MongodAccess): Promise<void> {
  const user = { pwd: access.password, roles: ROLES, mechanisms: ["SCRAM-SHA-256"] };
  try {
    await run({ updateUser: access.user, ...user });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== USER_NOT_FOUND) throw error;
    await run({ createUser: access.user, ...user });
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Changes the stored configuration to this port. */
async function configure(run: (command: Document) => Promise<Document>, port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const stored = await storedConfig(run);
  if (!stored) {
    await run({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } else if (stored["members"]?.[0]?.host !== host) {
    const members = [{ _id: 0, host }];
    await run({ replSetReconfig: { ...stored, members, version: stored["version"] + 1 }, force: true });
  }
}

async function storedConfig(run: (command: Document) => Promise<Document>): Promise<Document | undefined> {
  try {
    return (await run({ replSetGetConfig: 1 }))["config"] as Document;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}

function isPassing(error: MongoServerError): boolean {
  return /NotYetInitialized|NotPrimary|NotWritablePrimary|Interrupted|InProgress|ShutdownInProgress/.test(
    String(error.codeName),
  );
}
