// Restores data of an earlier release (scripts/make-fixture.js), as if that release had just been stopped.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { BSON } from "mongodb";
import type { Db } from "../../core/base/mongo/client.ts";

export type ReleaseData = {
  customers: {
    accountId: string;
    email: string;
    plan: string;
    key: string | null;
    readKey: string | null;
    memberKey?: string;
  }[];
  requests: {
    accountId: string;
    jobId: string;
    request: {
      modality: string;
      modelSlug: string;
      prompt: string;
      callbackUrl: string | null;
      params: Record<string, unknown>;
      metadata: Record<string, string>;
      idempotencyKey: string | null;
    };
  }[];
  sessionId: string;
};

type Fixture = {
  made: ReleaseData & { at: Date; receiverUrl: string };
  stored: {
    name: string;
    indexes: { name: string; key: Record<string, 1 | -1> }[];
    documents: BSON.Document[];
  }[];
};

/** Longer than a lease: that release's workers are gone. */
const STOPPED_SINCE_MS = 60_000;

/** `receiverUrl` replaces the endpoint of that release's webhooks. */
export async function putReleaseData(db: Db, name: string, receiverUrl: string): Promise<ReleaseData> {
  const path = fileURLToPath(new URL(`../fixtures/${name}.json.gz`, import.meta.url));
  const { made, stored } = BSON.EJSON.parse(gunzipSync(readFileSync(path)).toString("utf8"), {
    relaxed: true,
  }) as Fixture;
  const laterMs = Date.now() - STOPPED_SINCE_MS - made.at.getTime();
  for (const { name: collection, indexes, documents } of stored) {
    await db.createCollection(collection);
    if (indexes.length > 0) await db.collection(collection).createIndexes(indexes);
    // Times of entries are in their hashes.
    const shiftMs = collection === "ledger" ? 0 : laterMs;
    const moved = documents.map((one) => ({
      ...(mapValues(one, shiftMs, [made.receiverUrl, receiverUrl]) as BSON.Document),
      // The day on which an account was opened is the day of each month in the ids of its monthly credits.
      ...(collection === "accounts" && { created_at: one["created_at"] }),
    }));
    if (moved.length > 0) await db.collection(collection).insertMany(moved);
  }
  return made;
}

/** The same with later dates and another endpoint. */
function mapValues(value: unknown, laterMs: number, [from, to]: [string, string]): unknown {
  if (value instanceof Date) return new Date(value.getTime() + laterMs);
  if (typeof value === "string") return value.replace(from, to);
  if (Array.isArray(value)) return value.map((one) => mapValues(one, laterMs, [from, to]));
  // Values with a BSON class are unchanged.
  if (typeof value !== "object" || value === null || "_bsontype" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapValues(one, laterMs, [from, to])]),
  );
}
