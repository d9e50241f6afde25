// Databases with every collection and index and no data, which tests of a run pass on, because creating and dropping those takes longer
// than most tests. Only unchanged ones are passed on.
import { randomBytes } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import { inject } from "vitest";

export type ReadyDatabase = {
  readonly name: string;
  /** Call this once everything is created in it. */
  noteShape(): Promise<void>;
  /** Empties it, once no process writes to it, and passes it on; drops it when its shape has changed. */
  giveBack(): Promise<void>;
};

/** `shape`: of its collections and indexes, and the version of its data. */
type ReadyDoc = { _id: string; shape: string };

/** Queries have to skip recently deleted documents, so a database that held many is dropped. */
const MOST_DELETED = 2_000;
const AT_A_TIME = 8;
/** Its one document, with the version of the data, stays. */
const SCHEMA = "schema";

/** An exclusive database: a returned one, or a new one. */
export async function takeReadyDatabase(): Promise<ReadyDatabase> {
  const found = await onServer((client) => readyOnes(client).findOneAndDelete({}));
  const name = found?._id ?? `test_${randomBytes(6).toString("hex")}`;
  let shape = found?.shape;
  return {
    name,
    noteShape: async () => {
      shape ??= await onServer((client) => shapeOf(client.db(name)));
    },
    giveBack: () =>
      onServer(async (client) => {
        const db = client.db(name);
        if (shape !== undefined && (await shapeOf(db)) === shape && (await empty(db)) <= MOST_DELETED)
          await readyOnes(client).insertOne({ _id: name, shape });
        else await db.dropDatabase();
      }),
  };
}

/** Deletes its documents; collections and indexes stay. Returns the number of documents. */
export async function empty(db: Db): Promise<number> {
  const collections = (await db.collections()).filter(({ collectionName }) => collectionName !== SCHEMA);
  const deleted = await inTurns(collections, (collection) => collection.deleteMany({}));
  return deleted.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
}

async function shapeOf(db: Db): Promise<string> {
  const collections = (await db.listCollections().toArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const described = await inTurns(collections, async (collection) => {
    const { name, type, options } = collection as typeof collection & { options?: object };
    return [name, type, options, await db.collection(name).indexes()];
  });
  return JSON.stringify([described, await db.collection(SCHEMA).find().toArray()]);
}

function readyOnes(client: MongoClient) {
  return client.db("test_ready").collection<ReadyDoc>("databases");
}

async function onServer<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(inject("mongodUri"), { writeConcern: { w: "majority" } });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_A_TIME)
    results.push(...(await Promise.all(items.slice(at, at + AT_A_TIME).map(work))));
  return results;
}
