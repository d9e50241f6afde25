// Accepting generate requests: group commit against one transaction per request. Same mongod, same writes, alternating rounds.
import { acceptJobs, type Accepted } from "../core/jobs/accept.ts";
import type { AcceptRequest } from "../core/jobs/check-request.ts";
import { createAcceptQueue } from "../core/jobs/accept-queue.ts";
import type { Caller } from "../proto/caller.ts";
import { drive, type Load, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 64;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const ACCOUNTS = 1_000;

export async function run(): Promise<void> {
  await onBenchApp("accept", async (app) => {
    const many = await createCustomers(app, ACCOUNTS);
    const grouped = createAcceptQueue(app);
    const single = async (request: AcceptRequest): Promise<Accepted> => {
      const [result] = await acceptJobs(app, [request]);
      if (result?.status !== "fulfilled") throw result?.reason;
      return result.value;
    };
    await compare(`${CALLERS} callers over ${ACCOUNTS} accounts`, many, grouped, single);
    await compare(`${CALLERS} callers on one account`, many.slice(0, 1), grouped, single);
  });
}

async function compare(
  title: string,
  callers: readonly Caller[],
  grouped: Accept,
  single: Accept,
): Promise<void> {
  const next = requestsOf(callers);
  const rounds: { grouped: Load[]; single: Load[] } = { grouped: [], single: [] };
  await drive(CALLERS, ROUND_MS / 3, (i) => grouped(next(i)));
  for (let round = 0; round < ROUNDS; round++) {
    rounds.grouped.push(await drive(CALLERS, ROUND_MS, (i) => grouped(next(i))));
    rounds.single.push(await drive(CALLERS, ROUND_MS, (i) => single(next(i))));
  }
  const [a, b] = [medianLoad(rounds.grouped), medianLoad(rounds.single)];
  console.log(`${title}, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`);
  printTable(
    ["", "accepts/s", "p50 ms", "p99 ms"],
    [
      ["group commit", rate(a.perSecond), ms(a.p50Ms), ms(a.p99Ms)],
      ["one transaction each", rate(b.perSecond), ms(b.p50Ms), ms(b.p99Ms)],
      [
        "ratio",
        `${(a.perSecond / b.perSecond).toFixed(1)} x`,
        (a.p50Ms / b.p50Ms).toFixed(2),
        (a.p99Ms / b.p99Ms).toFixed(2),
      ],
    ],
  );
  console.log();
}
