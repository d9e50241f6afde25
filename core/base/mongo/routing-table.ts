// The routing table of a sharded cluster, for one collection: which shard has which part of its key. Read from the cluster's own
// configuration, and again whenever that has changed.
import { createHash } from "node:crypto";
import type { Db, MongoClient } from "mongodb";
import type { ShardMap } from "./shards.ts";

/** How old the table may be when it is used. A balancer moves a chunk in seconds to minutes. */
const MAX_AGE_MS = 5_000;
const UNAUTHORIZED = 13;
/** The type of a string, as MongoDB compares types. */
const STRING_TYPE = 15;

/** From where on a shard has what. Anything but a string or a bigint is where keys begin. */
type ChunkDoc = { min: { _id: unknown }; shard: string };
type CollectionDoc = { _id: string; uuid: unknown; key: Record<string, unknown>; lastmodEpoch?: unknown };

export type Table = {
  /** Changes with each change of the table. */
  readonly version: string;
  readonly kind: "hashed" | "range";
  /** By where they begin, the first at the very beginning. */
  readonly chunks: readonly { readonly from: bigint | string | null; readonly shard: string }[];
};

const ONE_PLACE: Table = { version: "", kind: "range", chunks: [] };

/** Answers the same table as before where nothing has changed. */
export type ReadTable = (before: Table | undefined) => Promise<Table>;

/** undefined on a replica set, which has no such table. The collection is to be sharded by its `_id`, a string. */
export async function openRoutingTable(
  client: MongoClient,
  namespace: string,
): Promise<ShardMap | undefined> {
  const { msg } = await client.db("admin").command({ hello: 1 });
  if (msg !== "isdbgrid") return undefined;
  const config = client.db("config");
  return followTable((before) => readTable(config, namespace, before));
}

/**
 * Reads the table now, and again in the background when it is used and old. While it cannot be had the one before stays, and where it may not
 * be read all is taken to lie in one place, which costs speed and nothing else.
 */
export async function followTable(read: ReadTable, maxAgeMs = MAX_AGE_MS): Promise<ShardMap> {
  let table = await read(undefined).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === UNAUTHORIZED) return ONE_PLACE;
    throw error;
  });
  let readAtMs = performance.now();
  return {
    shardOf: (id) => {
      if (performance.now() - readAtMs > maxAgeMs) {
        readAtMs = performance.now();
        read(table).then(
          (next) => (table = next),
          () => {},
        );
      }
      return shardIn(table, id);
    },
  };
}

export async function readTable(config: Db, namespace: string, before: Table | undefined): Promise<Table> {
  const found = await config.collection<CollectionDoc>("collections").findOne({ _id: namespace });
  const kind = found ? kindOf(found.key) : undefined;
  if (!found || kind === undefined) return ONE_PLACE;
  const chunks = config.collection<ChunkDoc & { lastmod: unknown }>("chunks");
  const [newest] = await chunks.find({ uuid: found.uuid }).sort({ lastmod: -1 }).limit(1).toArray();
  const version = JSON.stringify([found.uuid, found.lastmodEpoch, newest?.lastmod]);
  if (version === before?.version) return before;
  const all = await chunks
    .find({ uuid: found.uuid }, { projection: { min: 1, shard: 1 }, useBigInt64: true })
    .sort({ min: 1 })
    .toArray();
  return tableOf(kind, version, all);
}

/** undefined for a key of several fields, or of another one: then there is one lane. */
function kindOf(key: Record<string, unknown>): Table["kind"] | undefined {
  if (Object.keys(key).join() !== "_id") return undefined;
  return key["_id"] === "hashed" ? "hashed" : "range";
}

/** Of chunks in the order of where they begin; of none where all lies in one place. */
export function tableOf(kind: Table["kind"], version: string, chunks: readonly ChunkDoc[]): Table {
  return {
    version,
    kind,
    chunks: chunks.map(({ min: { _id: from }, shard }) => ({
      from: typeof from === "string" || typeof from === "bigint" ? from : null,
      shard,
    })),
  };
}

export function shardIn({ kind, chunks }: Table, id: string): string {
  const key = kind === "hashed" ? hashedKey(id) : id;
  let [low, high] = [0, chunks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const from = chunks[middle]?.from ?? null;
    if (from === null || from <= key) low = middle;
    else high = middle - 1;
  }
  return chunks[low]?.shard ?? "";
}

/** What a hashed index of MongoDB keeps of a string: eight bytes of the MD5 of a seed, the type and the value. */
export function hashedKey(text: string): bigint {
  const bytes = Buffer.from(text, "utf8");
  const head = Buffer.alloc(12);
  head.writeInt32LE(STRING_TYPE, 4);
  head.writeInt32LE(bytes.length + 1, 8);
  return createHash("md5").update(head).update(bytes).update(Buffer.alloc(1)).digest().readBigInt64LE(0);
}
