// Databases with every collection and index, and nothing in them, which one test of a run leaves to the next: making and dropping those
// takes longer than most tests do. Only what is as it was at first is left.
import { randomBytes } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import { inject } from "vitest";

export type ReadyDatabase = {
  readonly name: string;
  /** To be called once everything is made in it. */
  noteShape(): Promise<void>;
  /** Empties it, once nobody writes to it any more, and leaves it to the next; drops it where its shape has changed. */
  giveBack(): Promise<void>;
};

/** `shape`: of its collections and indexes, and the version of its data. */
type ReadyDoc = { _id: string; shape: string };

/** Searches have to step over what was deleted a moment ago, so a database that held much is not left to anybody. */
const MOST_DELETED = 2_000;
const AT_A_TIME = 8;
/** Its one document, which tells the version of the data, stays. */
const SCHEMA = "schema";

/** One that nobody else uses: given back, or one that is not there yet. */
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

/** Deletes what is in it; collections and indexes stay. Answers how many documents it was. */
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
