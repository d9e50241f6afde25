// Connects to MongoDB. The types here are what the rest of core knows of the driver.
import { type ClientSession, type Collection, type Db, MongoClient } from "mongodb";

export type { ClientSession, Collection, Db };

export type Mongo = {
  readonly client: MongoClient;
  readonly db: Db;
  /** With which a thread makes a connection of its own. */
  readonly uri: string;
};

/** Connects and checks that a primary answers. Throws when none does within `serverSelectionTimeoutMs`. */
export async function connectMongo(
  uri: string,
  database: string,
  // Reads are tried twice: both together stay below the 10 s that callers of core wait, so that they hear what is wrong.
  serverSelectionTimeoutMs = 3_000,
): Promise<Mongo> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    // Money reads what a majority has, and is never lost to a fail-over.
    readConcern: { level: "majority" },
    writeConcern: { w: "majority" },
    retryWrites: true,
    retryReads: true,
    maxPoolSize: 100,
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    await client.db(database).command({ ping: 1 });
  } catch (error) {
    await client.close();
    throw error;
  }
  return { client, db: client.db(database), uri };
}
