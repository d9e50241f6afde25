// Databases with every collection and index and no data, which tests of a run pass on, because creating and dropping those takes longer
// than most tests. Only unchanged ones are passed on.
import { randomBytes } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import { inject } from "vitest";
import { migrate } from "../../core/entry/migrate.ts";
import { SLICES } from "../../core/entry/slices.ts";
import type { App } from "../../core/kernel/app.ts";

export type ReadyDatabase = {
  readonly name: string;
  /** Creates what is missing in it: all of a new one, and the seeds of one that is passed on. */
  prepare(app: App): Promise<void>;
  /** Empties it, once no process writes to it, and passes it on; drops it when its shape has changed. */
  giveBack(): Promise<void>;
};

/** `shape`: of its collections and indexes, and the version of its data. */
type ReadyDoc = { _id: string; shape: string };

/** Queries have to skip recently deleted documents, so a database that held many is dropped. */
const MOST_DELETED = 2_000;
/** Its one document, with the version of the data, stays. */
const SCHEMA = "schema";

/** An exclusive database: a returned one, or a new one. */
export async function takeReadyDatabase(): Promise<ReadyDatabase> {
  const found = await readyOnes().findOneAndDelete({});
  const name = found?._id ?? `test_${randomBytes(6).toString("hex")}`;
  const db = server().db(name);
  let shape = found?.shape;
  return {
    name,
    prepare: async (app) => {
      if (found) return plantSeeds(app);
      await migrate(app);
      shape = await shapeOf(db);
    },
    giveBack: async () => {
      if (shape !== undefined && (await shapeOf(db)) === shape && (await empty(db)) <= MOST_DELETED)
        await readyOnes().insertOne({ _id: name, shape });
      else await db.dropDatabase();
    },
  };
}

/** What migrate() writes into a database that has all collections and the newest version. */
export async function plantSeeds(app: App): Promise<void> {
  for (const { seed } of SLICES) await seed?.(app);
}

/** Deletes its documents; collections and indexes stay. Returns the number of documents. */
export async function empty(db: Db): Promise<number> {
  const deleted = await Promise.all((await filledOf(db)).map((name) => db.collection(name).deleteMany({})));
  return deleted.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
}

/** The names of its collections with documents, without the schema's. One command asks all, because most are empty in most tests. */
async function filledOf(db: Db): Promise<string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const asked = collections
    .filter(({ name }) => name !== SCHEMA)
    .map(({ name: coll }) => ({
      $unionWith: { coll, pipeline: [{ $limit: 1 }, { $project: { _id: { $literal: coll } } }] },
    }));
  const found = db
    .collection<{ _id: string }>(SCHEMA)
    .aggregate<{ _id: string }>([{ $match: { $expr: false } }, ...asked]);
  return (await found.toArray()).map(({ _id }) => _id);
}

async function shapeOf(db: Db): Promise<string> {
  const collections = await server()
    .db("admin")
    .aggregate([
      { $listCatalog: {} },
      { $match: { db: db.databaseName } },
      { $sort: { name: 1 } },
      { $project: { _id: 0, name: 1, type: 1, options: "$md.options", indexes: "$md.indexes.spec" } },
    ])
    .toArray();
  return JSON.stringify([collections, await db.collection(SCHEMA).find().toArray()]);
}

const readyOnes = () => server().db("test_ready").collection<ReadyDoc>("databases");

let client: MongoClient | undefined;

/** The connection of this process, for all its tests. */
function server(): MongoClient {
  client ??= new MongoClient(inject("mongodUri"), { writeConcern: { w: "majority" } });
  return client;
}
