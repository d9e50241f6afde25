// Facts about a database, for operators who check that it is set up as the service needs. It only reads.
import { isDeepStrictEqual } from "node:util";
import { MongoClient } from "mongodb";
import type { Db, Mongo } from "./client.ts";
import { type CollectionSpec, INDEX_OPTIONS } from "./indexes.ts";

const ANSWER_MS = 3_000;
const UNAUTHORIZED = 13;

export type MemberInfo = {
  readonly name: string;
  readonly state: string;
  readonly isHealthy: boolean;
  /** Behind the primary. */
  readonly lagSeconds: number;
};

/** The numeric settings of a replica set, and the parameters of each member that stores data or votes. */
export type SetInfo = {
  readonly settings: Readonly<Record<string, number>>;
  readonly members: readonly {
    readonly name: string;
    /** undefined if the member does not respond from here. */
    readonly parameters: Readonly<Record<string, number>> | undefined;
  }[];
};

/** undefined if the database user may not read it. */
export type ServerInfo = {
  readonly version: string;
  readonly isCluster: boolean;
  readonly isReplicaSet: boolean;
  readonly members: readonly MemberInfo[] | undefined;
  readonly set: SetInfo | undefined;
  /** How far this machine's clock is ahead of the database's. */
  readonly skewMs: number;
  readonly diskUsed: number | undefined;
  /** Whether the databases can be listed without a password. */
  readonly isOpen: boolean;
  readonly usesTls: boolean;
  readonly isLocal: boolean;
};

export async function serverInfo(
  { client, db, uri }: Pick<Mongo, "client" | "db" | "uri">,
  memberParameters: readonly string[],
): Promise<ServerInfo> {
  const admin = client.db("admin");
  const askedMs = Date.now();
  const hello = await admin.command({ hello: 1 });
  const heardMs = Date.now();
  const { version } = await admin.command({ buildInfo: 1 });
  const isCluster = hello["msg"] === "isdbgrid";
  const { hosts, tls } = client.options;
  return {
    version: String(version),
    isCluster,
    isReplicaSet: hello["setName"] !== undefined,
    members: isCluster ? undefined : await allowed(() => findMembers(admin)),
    set:
      hello["setName"] === undefined
        ? undefined
        : await allowed(() => findSet({ client, uri }, memberParameters)),
    skewMs: (askedMs + heardMs) / 2 - (hello["localTime"] as Date).getTime(),
    diskUsed: await allowed(() => findDiskUsed(db)),
    isOpen: await isOpen(uri),
    usesTls: tls,
    isLocal: hosts.every(({ host }) => host === "localhost" || host === "::1" || host?.startsWith("127.")),
  };
}

/** Resolves once a majority of the members has everything that was written so far. It changes nothing. */
export async function askMajority(db: Db): Promise<void> {
  await db
    .collection<{ _id: string }>("schema")
    .updateOne({ _id: "nothing" }, { $set: {} }, { writeConcern: { w: "majority", wtimeoutMS: ANSWER_MS } })
    .catch(async () => {
      // Old servers refuse an empty $set; a delete that matches nothing waits as well.
      await db
        .collection<{ _id: string }>("schema")
        .deleteOne({ _id: "nothing" }, { writeConcern: { w: "majority", wtimeoutMS: ANSWER_MS } });
    });
}

export type IndexFault = {
  readonly collection: string;
  readonly index: string;
  readonly fault: "missing" | "different";
};

/** Indexes that differ from the definitions in the code. */
export async function findIndexFaults(db: Db, specs: readonly CollectionSpec[]): Promise<IndexFault[]> {
  const names = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  const faults: IndexFault[] = [];
  for (const { name: collection, indexes } of specs) {
    const there = names.has(collection) ? await db.collection(collection).indexes() : [];
    for (const { name: index, key, options } of indexes) {
      const found = there.find(({ name }) => name === index);
      const isSame =
        JSON.stringify(found?.key) === JSON.stringify(key) &&
        INDEX_OPTIONS.every((option) => isDeepStrictEqual(given(found?.[option]), given(options?.[option])));
      if (!found || !isSame) faults.push({ collection, index, fault: found ? "different" : "missing" });
    }
  }
  return faults;
}

/** The server may list an option that is off as false, or not at all. */
function given(option: unknown): unknown {
  return option === false ? undefined : option;
}

async function allowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as { code?: unknown }).code === UNAUTHORIZED) return undefined;
    throw error;
  }
}

async function findMembers(admin: Db): Promise<MemberInfo[]> {
  const { members } = (await admin.command({ replSetGetStatus: 1 })) as unknown as {
    members: { name: string; stateStr: string; health: number; optimeDate: Date }[];
  };
  const primary = members.find(({ stateStr }) => stateStr === "PRIMARY");
  return members.map(({ name, stateStr, health, optimeDate }) => ({
    name,
    state: stateStr,
    isHealthy: health === 1,
    lagSeconds: primary ? Math.max(0, (primary.optimeDate.getTime() - optimeDate.getTime()) / 1000) : 0,
  }));
}

async function findSet(
  { client, uri }: Pick<Mongo, "client" | "uri">,
  names: readonly string[],
): Promise<SetInfo> {
  const { config } = (await client.db("admin").command({ replSetGetConfig: 1 })) as unknown as {
    config: { settings: Record<string, unknown>; members: { host: string }[] };
  };
  const members = config.members.map(async ({ host: name }) => ({
    name,
    parameters: await askMember(memberUri(uri, name, client.options.credentials?.source), names),
  }));
  return { settings: numbersOf(config.settings), members: await Promise.all(members) };
}

/** Reads one member through its own connection. Returns undefined if it does not respond. */
async function askMember(
  uri: string,
  names: readonly string[],
): Promise<Readonly<Record<string, number>> | undefined> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: ANSWER_MS,
    connectTimeoutMS: ANSWER_MS,
    socketTimeoutMS: ANSWER_MS,
  });
  try {
    const asked = Object.fromEntries(names.map((name) => [name, 1]));
    return numbersOf(await client.db("admin").command({ getParameter: 1, ...asked }));
  } catch (error) {
    if ((error as { code?: unknown }).code === UNAUTHORIZED) throw error;
    return undefined;
  } finally {
    await client.close();
  }
}

/** The address of one member with the user and options of the whole set. */
export function memberUri(uri: string, host: string, authSource: string | undefined): string {
  const [, srv = "", user = "", path = "", query = ""] =
    /^mongodb(\+srv)?:\/\/([^@/]*@)?[^/?]*(\/[^?]*)?\??(.*)$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  for (const name of ["replicaSet", "readPreference", "readPreferenceTags", "srvMaxHosts", "srvServiceName"])
    options.delete(name);
  options.set("directConnection", "true");
  if (srv && !options.has("tls") && !options.has("ssl")) options.set("tls", "true");
  if (user && authSource !== undefined) options.set("authSource", authSource);
  return `mongodb://${user}${host}${path || "/"}?${options.toString()}`;
}

function numbersOf(said: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(said).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

/** As a fraction of the whole. */
async function findDiskUsed(db: Db): Promise<number | undefined> {
  const { fsUsedSize, fsTotalSize } = await db.command({ dbStats: 1 });
  return Number(fsTotalSize) > 0 ? Number(fsUsedSize) / Number(fsTotalSize) : undefined;
}

async function isOpen(uri: string): Promise<boolean> {
  const anonymous = uri
    .replace(/^([a-z+]+:\/\/)[^@/]*@/, "$1")
    .replaceAll(/([?&])(authSource|authMechanism|authMechanismProperties)=[^&]*/g, "$1");
  const client = new MongoClient(anonymous, {
    serverSelectionTimeoutMS: ANSWER_MS,
    connectTimeoutMS: ANSWER_MS,
  });
  try {
    await client.db("admin").command({ listDatabases: 1, nameOnly: true });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
