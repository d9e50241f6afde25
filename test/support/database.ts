// A database of its own for each test (or file of tests), on the mongod of the run.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connectMongo, type Mongo } from "../../core/base/mongo/client.ts";

export type TestDatabase = {
  mongo: Mongo;
  /** Of the server, without the name of the database: what startCore takes as `mongodbUri`. */
  uri: string;
  name: string;
  /** Deletes the database and closes its connections. */
  drop(): Promise<void>;
};

/** The database of the run by way of another port, whatever its replica set says of itself. */
export function uriByPort(port: number): string {
  const uri = new URL(inject("mongodUri"));
  uri.port = String(port);
  uri.searchParams.delete("replicaSet");
  uri.searchParams.set("directConnection", "true");
  return uri.href;
}

/** Connects to a database that nobody else uses: an empty one, unless it has a name. */
export async function createTestDatabase(
  name = `test_${randomBytes(6).toString("hex")}`,
): Promise<TestDatabase> {
  const uri = inject("mongodUri");
  const mongo = await connectMongo(uri, name);
  return {
    mongo,
    uri,
    name,
    drop: async () => {
      await mongo.db.dropDatabase();
      await mongo.client.close();
    },
  };
}
