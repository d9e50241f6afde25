// The cost of a job in a large database: with many finished jobs, and with many accounts with jobs. Each is measured in turn with an empty
// database on the same mongod, so that the ratios are independent of other load. npm run bench -- grow [JOBS [ACCOUNTS]], default 1,000,000
// each. The audit of ten million jobs or a million accounts takes half an hour.
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import type { Caller } from "../proto/caller.ts";
import { insertAccounts, insertFinishedJobs } from "./support/history.ts";
import { compareLoads, drive, type Load, rate, readSizes } from "./support/stats.ts";
import { auditInWords, driveEndToEnd } from "./support/whole-lives.ts";
import {
  type Accept,
  openBenchApp,
  prepare,
  printMachine,
  requestsOf,
  startBenchMongod,
} from "./support/world.ts";

const YOUNG = { jobs: 10_000, accounts: 1_000 };
const DEFAULT_SIZE = 1_000_000;
const CALLERS = 64;
const ROUNDS = 5;
const ROUND_MS = 3_000;

type Fixture = {
  readonly title: string;
  readonly app: JobsApp;
  readonly accept: Accept;
  readonly customers: readonly Caller[];
  close(): Promise<void>;
};

export async function run(): Promise<void> {
  const [jobs = DEFAULT_SIZE, accounts = DEFAULT_SIZE] = readSizes(process.argv.slice(3));
  printMachine();
  const mongod = await startBenchMongod();
  const worlds: Fixture[] = [];
  for (const size of [YOUNG, { ...YOUNG, jobs }, { ...YOUNG, accounts }])
    worlds.push(await makeFixture(mongod.uri, `grow_${worlds.length}`, size));
  await compare("end to end", worlds, ({ app, accept, customers }) =>
    driveEndToEnd(app, accept, customers, { callers: CALLERS, forMs: ROUND_MS }),
  );
  // Created afterwards, because the bulk writer leaves these out.
  await compare("accepted", worlds, ({ accept, customers }) => {
    const next = requestsOf(customers);
    return drive(CALLERS, ROUND_MS, (i) => accept(next(i)));
  });
  for (const { title, app, close } of worlds) {
    console.log(`${title}: ${await auditInWords(app)}`);
    await close();
  }
  await mongod.stop();
}

async function makeFixture(
  uri: string,
  database: string,
  { jobs, accounts }: { jobs: number; accounts: number },
): Promise<Fixture> {
  const title = `${rate(jobs)} finished jobs, ${rate(accounts)} accounts`;
  console.log(`making ${title}`);
  const { app, close } = await openBenchApp(uri, database);
  await prepare(app);
  await insertFinishedJobs(app, jobs);
  const customers = await insertAccounts(app, accounts);
  // In another order than their creation, as customers' requests arrive.
  const shuffled = customers.map((caller) => ({ caller, by: Math.random() })).sort((a, b) => a.by - b.by);
  // Bulk writes are flushed to disk first, as in a service that has run for long.
  await app.mongo.client.db("admin").command({ fsync: 1 });
  return {
    title,
    app,
    accept: createAcceptQueue(app),
    customers: shuffled.map(({ caller }) => caller),
    close,
  };
}

async function compare(
  what: string,
  worlds: readonly Fixture[],
  measure: (world: Fixture) => Promise<Load>,
): Promise<void> {
  console.log(
    `\n${what} a second, ${CALLERS} callers, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s in turn`,
  );
  await compareLoads(
    worlds.map((world) => [world.title, () => measure(world)]),
    ROUNDS,
    { unit: "jobs/s", ratio: "the first is" },
  );
  console.log();
}
