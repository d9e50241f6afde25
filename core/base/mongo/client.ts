// Connects to MongoDB. The types of this file are all that the rest of core knows about the driver.
import {
  type ClientSession,
  type Collection,
  type CollectionInfo,
  type CommandOperationOptions,
  type Db,
  type Document,
  MongoClient,
  MongoServerSelectionError,
  type UpdateFilter,
} from "mongodb";
import { type Contention, createContention } from "./contention.ts";
import { replaceRegistries } from "./driver-registries.ts";

export type { ClientSession, Collection, Db, UpdateFilter };

export type Mongo = {
  readonly client: MongoClient;
  readonly db: Db;
  /** The address with which a thread opens its own connection. */
  readonly uri: string;
  /** Limits the contention of transactions that write the same accounts. */
  readonly contention: Contention;
};

/**
 * How soon a hanging server is noticed: its monitor expects a heartbeat every second and closes all connections after this additional time.
 * A new connection must be established within the same time.
 */
const HEARTBEAT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 4_000;
/**
 * The time after which a connection without the beginning of a response is closed, because the connection may be dead while the server
 * lives. It is far above the time of any of our reads; calls that may take longer say so (PATIENT).
 */
const SOCKET_TIMEOUT_MS = 30_000;
/** For a free connection, when all are in use. */
const POOL_WAIT_MS = 3_000;

/** For a command that may take minutes, as building an index does. The driver heeds it and does not list it among its options. */
export const PATIENT: CommandOperationOptions = { socketTimeoutMS: 0 } as object;

/**
 * Connects and checks that a primary answers. Throws when none does within twice `serverSelectionTimeoutMS`: a process that starts also loads
 * code, and on a busy machine it may not read what a healthy server has answered before the first time is over.
 */
export async function connectMongo(uri: string, database: string): Promise<Mongo> {
  const client = new MongoClient(withoutCompressors(uri), {
    // Reads are tried twice: both together stay below the 10 s that callers of core wait, so that they hear what is wrong.
    serverSelectionTimeoutMS: 3_000,
    // Money reads what a majority has, and is never lost to a fail-over.
    readConcern: { level: "majority" },
    writeConcern: { w: "majority" },
    retryWrites: true,
    retryReads: true,
    maxPoolSize: 100,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    waitQueueTimeoutMS: POOL_WAIT_MS,
    ignoreUndefined: true,
  });
  replaceRegistries(client);
  try {
    await client.connect().catch((error: unknown) => {
      if (!(error instanceof MongoServerSelectionError)) throw error;
      return client.connect();
    });
    // A primary has answered then.
    return { client, db: client.db(database), uri, contention: createContention() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Returns the function that opens the collection in a database. */
export function collectionNamed<Doc extends Document>(name: string): (db: Db) => Collection<Doc> {
  return (db) => db.collection<Doc>(name);
}

/** Whatever the address asks for: unpacking has leaked a server's memory (CVE-2025-14847). Options do not overrule it. */
function withoutCompressors(uri: string): string {
  return uri.replace(/(?<=[?&])compressors=[^&]*&?/gi, "");
}

/** The id that the server gave the collection, in hex; undefined where it does not exist. */
export async function collectionId(db: Db, name: string): Promise<string | undefined> {
  const found = await db.listCollections({ name }, { nameOnly: false }).next();
  return (found as CollectionInfo | null)?.info?.uuid?.toString("hex");
}
