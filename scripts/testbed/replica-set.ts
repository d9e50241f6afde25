// Initiates the three mongods of a cluster as a replica set with its user, as in mongo-set.js, and connects to them like a member.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, MongoClient, type MongoClientOptions } from "mongodb";
import { parse } from "yaml";
import { waitFor } from "../../test/support/wait-for.ts";
import { readReplicaSet } from "./compose.ts";

const UP_BOUND_MS = 120_000;
const ASK_BOUND_MS = 2_000;
const ALREADY_INITIALIZED = 23;

export type ReplicaSet = {
  /** Initiates it, unless it is initiated. The members are listening. */
  make(): Promise<void>;
  /** Waits for a primary. Returns its port. */
  primary(): Promise<number>;
  /** Waits until the member with this port is a secondary again. */
  back(port: number): Promise<void>;
  /** The primary steps down for another member. */
  stepDown(): Promise<void>;
  /** Of the database `admin`, at the primary. */
  command(said: Document): Promise<void>;
};

export type ReplicaSetOptions = {
  secrets: string;
  /** The ports by which members and clients know each member, instead of its own. */
  hosts?: readonly number[];
  /** Instead of those in mongo-set.js. */
  settings?: object;
};

export function createReplicaSet(
  ports: readonly number[],
  { secrets, hosts = ports, settings }: ReplicaSetOptions,
): ReplicaSet {
  const member = () => asMember(keysIn(join(secrets, "mongo-key"))[0] ?? "");

  async function stateOf(port: number): Promise<Document> {
    return ask(port, { hello: 1 }, {}).catch(() => ({}));
  }

  async function findPrimary(): Promise<number> {
    return waitFor(
      "a primary",
      async () => {
        const states = await Promise.all(ports.map(stateOf));
        return ports.find((_, n) => states[n]?.["isWritablePrimary"] === true);
      },
      UP_BOUND_MS,
    );
  }

  async function command(said: Document): Promise<void> {
    await ask(await findPrimary(), said, member(), UP_BOUND_MS);
  }

  return {
    make: async () => {
      const { config, user } = readReplicaSet(join(secrets, "mongo-password"));
      const [first = 0] = ports;
      const members = config.members.map((member, n) => ({ ...member, host: `127.0.0.1:${hosts[n]}` }));
      const wanted = { ...config, members, ...(settings && { settings }) };
      await waitFor("mongod to listen", async () => (await stateOf(first))["ok"] === 1, UP_BOUND_MS);
      try {
        await ask(first, { replSetInitiate: wanted }, member(), UP_BOUND_MS);
      } catch (error) {
        if ((error as { code?: number }).code !== ALREADY_INITIALIZED) throw error;
        await findPrimary();
        return;
      }
      const { user: name, ...rest } = user;
      await ask(await findPrimary(), { createUser: name, ...rest }, member(), UP_BOUND_MS);
    },
    primary: findPrimary,
    back: async (port) => {
      await waitFor(
        `the member on ${port} to be back`,
        async () => {
          const { secondary, isWritablePrimary } = await stateOf(port);
          return secondary === true || isWritablePrimary === true;
        },
        UP_BOUND_MS,
      );
    },
    stepDown: async () => {
      await command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
    },
    command,
  };
}

/** Signs in as the server's own processes do, with all rights. */
export function asMember(password: string): MongoClientOptions {
  return {
    auth: { username: "__system", password },
    authSource: "local",
    authMechanism: "SCRAM-SHA-256",
  };
}

/** One, or several as a YAML list. Members present the first. */
export function keysIn(path: string): string[] {
  const said = parse(readFileSync(path, "utf8")) as string | string[];
  return [said].flat().map((key) => key.replaceAll(/\s/g, ""));
}

/** On a separate connection, so that a frozen member does not delay the query to the others. */
async function ask(
  port: number,
  command: Document,
  who: MongoClientOptions,
  boundMs = ASK_BOUND_MS,
): Promise<Document> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: boundMs,
    connectTimeoutMS: boundMs,
    socketTimeoutMS: boundMs,
    ...who,
  });
  try {
    return await client.db("admin").command(command);
  } finally {
    await client.close();
  }
}
