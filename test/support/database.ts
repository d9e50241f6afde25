// A database for each test (or file of tests), on the run's mongod.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connectMongo, type Mongo } from "../../core/base/mongo/client.ts";
import { sharedByTests } from "./shared.ts";

export type TestDatabase = {
  mongo: Mongo;
  /** The server's URL without a database: startCore's `mongodbUri`. */
  uri: string;
  name: string;
  /** Deletes the database and closes its connections. */
  drop(): Promise<void>;
};

/** The run's database through another port, whatever its replica set reports. */
export function uriByPort(port: number): string {
  const uri = new URL(inject("mongodUri"));
  uri.port = String(port);
  uri.searchParams.delete("replicaSet");
  uri.searchParams.set("directConnection", "true");
  return uri.href;
}

/** Connects to an exclusive database: an empty one, unless it has a name. */
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

/** One for all tests of the file or block. */
export function useTestDatabase(): TestDatabase {
  return sharedByTests(() => createTestDatabase());
}
