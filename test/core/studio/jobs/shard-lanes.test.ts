// Jobs from accept to settle, and what sweeps over accounts, on a database whose accounts lie on three simulated shards: which shards each
// transaction touches, counted from the commands that go to the server.
import { randomUUID } from "node:crypto";
import type { CommandStartedEvent } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { sweepCredits } from "../../../../core/identity/credits/sweep.ts";
import { createAcceptQueue } from "../../../../core/studio/jobs/accept-queue.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import type { Claim, JobsApp } from "../../../../core/studio/jobs/intake.ts";
import { expireWaitingJobs } from "../../../../core/studio/jobs/release.ts";
import { rescueJobs } from "../../../../core/studio/runs/rescue.ts";
import { createSettleQueue } from "../../../../core/studio/runs/settle-queue.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { shardIn, type Table } from "../../../../core/base/mongo/routing-table.ts";
import { createShards, type ShardMap } from "../../../../core/base/mongo/shards.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const CUSTOMERS = 8;
const THIRD = 2n ** 64n / 3n;
const TABLE: Table = {
  version: "1",
  kind: "hashed",
  chunks: [
    { from: null, shard: "one" },
    { from: -(2n ** 63n) + THIRD, shard: "two" },
    { from: -(2n ** 63n) + 2n * THIRD, shard: "three" },
  ],
};
const mapped: ShardMap = { shardOf: (accountId) => shardIn(TABLE, accountId) };

let testApp: TestApp;
let watched: Awaited<ReturnType<typeof watchCommands>>;
/** The shards that each transaction touched. */
let touched = new Map<string, Set<string>>();
/** Collections in which a transaction looked without saying whose documents it means: a cluster would ask every shard. */
let everywhere = new Set<string>();
beforeAll(async () => {
  testApp = await createTestApp();
  watched = await watchCommands(testApp, ({ command }: CommandStartedEvent) => {
    if (command["autocommit"] !== false) return;
    const { lsid, txnNumber } = command as { lsid: { id: { toString(): string } }; txnNumber: unknown };
    const transaction = `${lsid.id.toString()} ${String(txnNumber)}`;
    const shards = touched.get(transaction) ?? new Set();
    for (const [accountId] of JSON.stringify(command).matchAll(/acc_[0-9A-Z]{26}/g))
      shards.add(mapped.shardOf(accountId));
    touched.set(transaction, shards);
    for (const [collection, filter] of filtersOf(command))
      if (!Object.hasOwn(filter, collection === "accounts" ? "_id" : "account_id"))
        everywhere.add(collection);
  });
});
afterAll(async () => {
  await watched.close();
  await testApp.close();
});

function filtersOf(command: CommandStartedEvent["command"]): [collection: string, filter: object][] {
  if (command["find"]) return [[String(command["find"]), command["filter"] as object]];
  const updates = (command["updates"] ?? []) as { q: object }[];
  return updates.map(({ q }) => [String(command["update"]), q]);
}

const crossing = () => [...touched.values()].filter(({ size }) => size > 1).length;

/** Everything that writes several accounts in one transaction. Answers how many transactions there were, and how many crossed. */
async function work(map: ShardMap | undefined): Promise<{ transactions: number; crossed: number }> {
  await testApp.empty();
  const customers = Array.from({ length: CUSTOMERS }, () => createCustomer(testApp.app, { plan: "studio" }));
  const callers: Caller[] = (await Promise.all(customers)).map(({ caller }) => caller);
  [touched, everywhere] = [new Map(), new Set()];
  const shards = map && createShards(map);
  const app: JobsApp = { ...watched.app, mongo: { ...watched.app.mongo, shards } };
  const accept = createAcceptQueue({ ...app, metrics: testApp.app.metrics });
  const settle = createSettleQueue(app, () => 256);
  const generate = async () => {
    await Promise.all([...callers, ...callers].map((caller) => accept(askFor(caller, {}, randomUUID()))));
  };
  const claimAll = async (): Promise<Claim[]> => {
    const all: Claim[] = [];
    for (;;) {
      const claims = await claimJobs(app, { worker: "w1", limit: 10, leaseMs: 15_000 });
      if (claims.length === 0) return all;
      all.push(...claims);
    }
  };
  await generate();
  const claims = await claimAll();
  expect(claims).toHaveLength(2 * CUSTOMERS);
  const error = { code: "provider_failed", message: "x" } as const;
  await Promise.all(
    claims.map((claim, n) =>
      settle({
        claim,
        outcome: n % 2 ? { kind: "completed", outputs: [] } : { kind: "failed", error },
        files: [],
      }),
    ),
  );
  // Jobs whose worker is lost, and jobs that waited too long.
  await generate();
  const lost = await claimJobs(app, { worker: "w2", limit: CUSTOMERS, leaseMs: -1 });
  const rescued = await rescueJobs(app, { worker: "w1", limit: 256, leaseMs: 15_000 });
  expect(rescued).toHaveLength(lost.length);
  const cancelled = { kind: "cancelled" } as const;
  await Promise.all(rescued.map((claim) => settle({ claim, outcome: cancelled, files: [] })));
  await jobs(app.mongo.db).updateMany({ state: "reserved" }, { $set: { queue_deadline: new Date(0) } });
  expect(await expireWaitingJobs(app)).toBe(2 * CUSTOMERS - lost.length);
  // Every account is due for its monthly credits.
  // Not before they were made, which would give them two periods of one day.
  const due = new Date();
  await accounts(app.mongo.db).updateMany({}, { $set: { next_grant_at: due, due_at: due } });
  expect(await sweepCredits(app)).toBe(CUSTOMERS);
  await expect(jobs(app.mongo.db).countDocuments({ state: { $in: ["reserved", "running"] } })).resolves.toBe(
    0,
  );
  expect(await auditFindings(testApp.app)).toEqual([]);
  return { transactions: touched.size, crossed: crossing() };
}

test("with lanes no transaction crosses shards; with one lane for all of them some would", async () => {
  const one = await work(undefined);
  expect(one.crossed).toBeGreaterThan(5);
  const lanes = await work(mapped);
  expect(lanes.transactions).toBeGreaterThan(10);
  expect(lanes.crossed).toBe(0);
  // Keys are found by their hash alone: docs/operations/sharding.md says where they lie.
  expect([...everywhere]).toEqual(["api_keys"]);
});

test("accounts that move in the meantime cost at most speed: all ends as it should, and the books are right", async () => {
  let asked = 0;
  const moving = {
    shardOf: (accountId: string) => (asked++ % 7 === 0 ? "three" : mapped.shardOf(accountId)),
  };
  expect((await work(moving)).transactions).toBeGreaterThan(10);
});
