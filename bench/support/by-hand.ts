// The rival of accepting: a hand-written transaction that takes credits off an account, inserts the job and the entry, and leaves out
// everything else: keys, plans, models, events, the hash chain, Idempotency-Keys.
import type { ClientSession, Collection, Db, MongoClient } from "mongodb";

type Account = { _id: string; available: number; held: number };
type Row = { _id: string; account_id: string };

export type ByHand = {
  /** Accepts one request of the account with this number. */
  accept(account: number): Promise<void>;
  /** The same, after the account's earlier requests: parallel transactions on one account only conflict. */
  inTurn(account: number): Promise<void>;
};

const CREDITS = 1_000_000_000;

export async function openByHand(client: MongoClient, database: string, accounts: number): Promise<ByHand> {
  const db = client.db(database);
  const rooms = {
    accounts: db.collection<Account>("accounts"),
    jobs: db.collection<Row>("jobs"),
    entries: db.collection<Row>("entries"),
  };
  await rooms.accounts.insertMany(
    Array.from({ length: accounts }, (_, n) => ({ _id: `acc_${n}`, available: CREDITS, held: 0 })),
  );
  await makeIndexes(db);
  let next = 0;
  const accept = async (account: number) => {
    const id = String(next++).padStart(12, "0");
    await client.withSession((session) =>
      session.withTransaction(() => acceptIn(rooms, session, `acc_${account}`, id), {
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

type Rooms = {
  accounts: Collection<Account>;
  jobs: Collection<Row>;
  entries: Collection<Row>;
};

async function acceptIn(
  { accounts, jobs, entries }: Rooms,
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
  await jobs.insertOne(
    {
      _id: `job_${id}`,
      ...about,
      model: "instant",
      prompt: "a lighthouse on a cliff at dusk, long exposure",
    } as Row,
    { session },
  );
  await entries.insertOne({ _id: `led_${id}`, ...about, job_id: `job_${id}` } as Row, { session });
}

/** The indexes for listing an account's jobs and entries, and for debiting no job twice. */
async function makeIndexes(db: Db): Promise<void> {
  await db.collection("jobs").createIndex({ account_id: 1, created_at: -1 });
  await db.collection("entries").createIndex({ account_id: 1, created_at: -1 });
  await db.collection("entries").createIndex({ job_id: 1 }, { unique: true });
}
