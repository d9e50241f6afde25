// npm run bench -- grants [ACCOUNTS]: as many accounts (100,000, or up to 1,000,000) whose period begins in the same minute are given
// their monthly credits while jobs go on: how long it takes, how much memory, and what it costs the jobs.
import { accounts, type AccountDoc } from "../core/identity/accounts/store.ts";
import { createAccount } from "../core/identity/accounts/create-account.ts";
import { ledger } from "../core/identity/credits/store.ts";
import { sweepCredits } from "../core/identity/credits/sweep.ts";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { whileAccepting } from "./support/accepting.ts";
import { createCustomers, openBenchApp, prepare, printMachine, startBenchMongod } from "./support/world.ts";

const DEFAULT_ACCOUNTS = 100_000;
const MOST_ACCOUNTS = 1_000_000;
const INSERTED_AT_ONCE = 5_000;
const CALLERS = 16;
const QUIET_MS = 5_000;

export async function run(): Promise<void> {
  const count = Number(process.argv[3] ?? DEFAULT_ACCOUNTS);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_ACCOUNTS)
    throw new Error(`accounts: a number from 1 to ${MOST_ACCOUNTS}`);
  printMachine();
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, "grants");
  await prepare(app);
  const callers = await createCustomers(app, CALLERS);
  await insertDue(app, count);
  console.log(`${count} accounts are due\n`);

  const quiet = await whileAccepting(app, callers, () => new Promise((end) => setTimeout(end, QUIET_MS)));
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage().rss / 2 ** 20)), 100);
  const beforeMb = process.memoryUsage().rss / 2 ** 20;
  let swept = 0;
  const began = performance.now();
  const busy = await whileAccepting(app, callers, async () => {
    swept = await sweepCredits(app);
  });
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);

  const given = await ledger(app.mongo.db).countDocuments({ memo: "Monthly credits" });
  const perSecond = Math.round(swept / seconds);
  console.log(
    `swept ${swept} accounts in ${seconds.toFixed(1)} s, ${perSecond} a second; ${given} were given credits`,
  );
  console.log(`memory: ${Math.round(beforeMb)} MiB before, ${Math.round(peakMb)} MiB at most`);
  console.log(`jobs accepted meanwhile: ${busy.toFixed(0)} a second, ${quiet.toFixed(0)} without the sweep`);
  await close();
  await mongod.stop();
}

/** Past the use cases, which would take hours: as openAccount leaves them, but for the first credits. */
async function insertDue(app: JobsApp, count: number): Promise<void> {
  const { _id } = await createAccount(app, { email: "due@example.com", name: "Due", plan: "free" });
  const model = await accounts(app.mongo.db).findOne({ _id });
  if (!model) throw new Error("the account is not there");
  const due = new Date(app.clock.now().getTime() - 60_000);
  for (let n = 0; n < count; n += INSERTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(INSERTED_AT_ONCE, count - n) }, (_, i): AccountDoc => ({
      ...model,
      _id: app.newId("acc"),
      email: `due-${n + i}@example.com`,
      created_at: due,
      next_grant_at: due,
      due_at: due,
    }));
    await accounts(app.mongo.db).insertMany(some, { ordered: false });
  }
}
