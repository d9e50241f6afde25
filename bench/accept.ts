// Accepting generate requests: group commit, with and without Idempotency-Keys, against a hand-written transaction of three writes on the
// same mongod, and against the same three writes on PostgreSQL, in three usual ways. Alternating rounds. npm run bench -- accept [--quick]:
// short rounds, as a test.
import type { ClientSession, Collection, Db, MongoClient } from "mongodb";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { Caller } from "../proto/caller.ts";
import { type Ledger, openPostgresLedger } from "./support/postgres.ts";
import { compareLoads, drive, rate } from "./support/stats.ts";
import { auditInWords } from "./support/whole-lives.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const BY_HAND = "by hand, MongoDB";
const CREDITS = 1_000_000_000;

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 1 : 3;
const ROUND_MS = isQuick ? 300 : 2_000;
const ACCOUNTS = 1_000;

export async function run(): Promise<void> {
  await onBenchApp("accept", async (app) => {
    const many = await createCustomers(app, ACCOUNTS);
    const contenders = {
      grouped: createAcceptQueue(app),
      hand: await openByHand(app.mongo.client, "by_hand", ACCOUNTS),
      postgres: await openPostgresLedger(ACCOUNTS),
    };
    try {
      for (const callers of [64, 256])
        for (const accounts of [many, many.slice(0, 1)]) await compare(callers, accounts, contenders);
      console.log(await auditInWords(app));
      await contenders.postgres?.check();
    } finally {
      await contenders.postgres?.close();
    }
  });
}

type Contenders = { readonly grouped: Accept; readonly hand: ByHand; readonly postgres: Ledger | undefined };
type Accepts = [name: string, accept: (i: number) => Promise<unknown>];

let keys = 0;

function sidesOf(customers: readonly Caller[], { grouped, hand, postgres }: Contenders): Accepts[] {
  const next = requestsOf(customers);
  const accountOf = (i: number) => i % customers.length;
  const sides: Accepts[] = [
    ["group commit", (i) => grouped(next(i))],
    ["group commit, Idempotency-Keys", (i) => grouped({ ...next(i), idempotencyKey: `key-${keys++}` })],
    [BY_HAND, (i) => hand.accept(accountOf(i))],
    ["by hand, one at a time for each account", (i) => hand.inTurn(accountOf(i))],
  ];
  if (postgres)
    sides.push(
      ["PostgreSQL, SELECT … FOR UPDATE", (i) => postgres.forUpdate(accountOf(i))],
      ["PostgreSQL, one atomic statement", (i) => postgres.atomic(accountOf(i))],
      ["PostgreSQL, atomic statements in batches", (i) => postgres.batched(accountOf(i))],
    );
  return sides;
}

async function compare(callers: number, customers: readonly Caller[], contenders: Contenders): Promise<void> {
  // This many parallel transactions on one account conflict for half a minute.
  const isHopeless = (name: string) => name === BY_HAND && customers.length === 1 && callers > 64;
  const sides = sidesOf(customers, contenders).filter(([name]) => !isHopeless(name));
  const where = customers.length === 1 ? "one account" : `${rate(customers.length)} accounts`;
  console.log(`${callers} callers on ${where}, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`);
  await compareLoads(
    sides.map(([name, accept]) => [name, () => drive(callers, ROUND_MS, accept)]),
    ROUNDS,
    { unit: "accepts/s", ratio: "group commit is" },
  );
  console.log();
}

type Account = { _id: string; available: number; held: number };
type Row = { _id: string; account_id: string };

type ByHand = {
  /** Accepts one request of the account with this number. */
  accept(account: number): Promise<void>;
  /** The same, after the account's earlier requests: parallel transactions on one account only conflict. */
  inTurn(account: number): Promise<void>;
};

/**
 * The rival: a hand-written transaction that takes credits off an account, inserts the job and the entry, and leaves out everything else:
 * keys, plans, models, events, the hash chain, Idempotency-Keys.
 */
async function openByHand(client: MongoClient, database: string, accounts: number): Promise<ByHand> {
  const db = client.db(database);
  const collections = {
    accounts: db.collection<Account>("accounts"),
    jobs: db.collection<Row>("jobs"),
    entries: db.collection<Row>("entries"),
  };
  await collections.accounts.insertMany(
    Array.from({ length: accounts }, (_, n) => ({ _id: `acc_${n}`, available: CREDITS, held: 0 })),
  );
  await makeIndexes(db);
  let next = 0;
  const accept = async (account: number) => {
    const id = String(next++).padStart(12, "0");
    await client.withSession((session) =>
      session.withTransaction(() => acceptIn(collections, session, `acc_${account}`, id), {
        writeConcern: { w: "majority" },
      }),
    );
  };
  const chains = new Map<number, Promise<void>>();
  return {
    accept,
    inTurn: (account) => {
      const own = (chains.get(account) ?? Promise.resolve()).then(() => accept(account));
      chains.set(account, own);
      return own;
    },
  };
}

type Collections = { accounts: Collection<Account>; jobs: Collection<Row>; entries: Collection<Row> };

async function acceptIn(
  { accounts, jobs, entries }: Collections,
  session: ClientSession,
  accountId: string,
  id: string,
): Promise<void> {
  const { modifiedCount } = await accounts.updateOne(
    { _id: accountId, available: { $gte: 1 } },
    { $inc: { available: -1, held: 1 } },
    { session },
  );
  if (modifiedCount !== 1) throw new Error("not enough credits");
  const about = { account_id: accountId, state: "reserved", created_at: new Date(), credits: 1 };
  const asked = { model: "instant", prompt: "a lighthouse on a cliff at dusk, long exposure" };
  await jobs.insertOne({ _id: `job_${id}`, ...about, ...asked } as Row, { session });
  await entries.insertOne({ _id: `led_${id}`, ...about, job_id: `job_${id}` } as Row, { session });
}

/** The indexes for listing an account's jobs and entries, and for debiting no job twice. */
async function makeIndexes(db: Db): Promise<void> {
  await db.collection("jobs").createIndex({ account_id: 1, created_at: -1 });
  await db.collection("entries").createIndex({ account_id: 1, created_at: -1 });
  await db.collection("entries").createIndex({ job_id: 1 }, { unique: true });
}
