// Three real mongods as one replica set, each with its journal on disk. Their addresses are links, so that the way of one kind of
// process to the database can be made bad while the members still reach each other.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { MEMBER_PARAMETERS, SET_SETTINGS } from "../../core/operations/checkup/fail-over-rules.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { type Link, startLink } from "./link.ts";
import type { Processes, SuiteProcess } from "./processes.ts";

const SET = "faults";
const MEMBERS = 3;
const UP_BOUND_MS = 60_000;
const ASK_BOUND_MS = 1_000;

export type Member = {
  readonly port: number;
  readonly link: Link;
  process: SuiteProcess;
};

export type ReplicaSet = {
  readonly members: readonly Member[];
  /** For a process that is to be told apart by this name. */
  uri(appName: string): string;
  primary(): Promise<Member>;
  /** Starts a member again that was killed. */
  restart(member: Member): void;
  close(): void;
};

export type SetOptions = {
  binary: string;
  folder: string;
  /** Instead of SET_SETTINGS. */
  settings?: Readonly<Record<string, number>>;
  /** Instead of MEMBER_PARAMETERS. */
  parameters?: Readonly<Record<string, number>>;
};

export async function startReplicaSet(
  processes: Processes,
  { binary, folder, settings = SET_SETTINGS, parameters = MEMBER_PARAMETERS }: SetOptions,
): Promise<ReplicaSet> {
  const given = Object.entries(parameters).map(([name, value]) => ["--setParameter", `${name}=${value}`]);
  const launch = (port: number): SuiteProcess => {
    const dbPath = join(folder, `db-${port}`);
    mkdirSync(dbPath, { recursive: true });
    const args = [
      ["--dbpath", dbPath, "--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
      ["--logpath", join(folder, `mongod-${port}.log`), "--logappend", "--quiet"],
      ["--replSet", SET, "--oplogSize", "256", "--wiredTigerCacheSizeGB", "0.25"],
      ["--setParameter", "diagnosticDataCollectionEnabled=false"],
      // As docs/operations/production.md asks for.
      ["--setParameter", "transactionLifetimeLimitSeconds=5"],
      ...given,
    ];
    return processes.start(`mongod ${port}`, binary, args.flat());
  };
  const members: Member[] = [];
  for (let n = 0; n < MEMBERS; n++) {
    const port = await freePort();
    members.push({ port, link: await startLink(port), process: launch(port) });
  }
  await initiate(members, settings);
  const set: ReplicaSet = {
    members,
    uri: (appName) =>
      `mongodb://${members.map(({ link }) => `127.0.0.1:${link.port}`).join(",")}/?replicaSet=${SET}&appName=${appName}`,
    primary: () =>
      waitFor(
        "a primary",
        async () => {
          const found = await Promise.all(members.map(isPrimary));
          return members.find((_, n) => found[n]);
        },
        UP_BOUND_MS,
      ),
    restart: (member) => {
      member.process = launch(member.port);
    },
    close: () => {
      for (const { link } of members) link.close();
    },
  };
  await set.primary();
  return set;
}

async function initiate(
  members: readonly Member[],
  settings: Readonly<Record<string, number>>,
): Promise<void> {
  const config = {
    _id: SET,
    members: members.map(({ link }, _id) => ({ _id, host: `127.0.0.1:${link.port}` })),
    settings,
  };
  const [first] = members;
  if (!first) throw new Error("a replica set has members");
  await waitFor(
    "the members to listen",
    async () => {
      await Promise.all(members.map((member) => ask(member, { ping: 1 })));
      return true;
    },
    UP_BOUND_MS,
  );
  await ask(first, { replSetInitiate: config }, UP_BOUND_MS);
}

async function isPrimary(member: Member): Promise<boolean> {
  try {
    return (await ask(member, { hello: 1 }))["isWritablePrimary"] === true;
  } catch {
    return false;
  }
}

/** Past the links, with a connection of its own: a member that is frozen does not hold up the question to the others. */
async function ask(
  { port }: Pick<Member, "port">,
  command: Record<string, unknown>,
  boundMs = ASK_BOUND_MS,
): Promise<Record<string, unknown>> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: boundMs,
    connectTimeoutMS: boundMs,
    socketTimeoutMS: boundMs,
  });
  try {
    return await client.db("admin").command(command);
  } finally {
    await client.close();
  }
}
