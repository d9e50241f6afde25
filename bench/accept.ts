// Accepting generate requests: group commit against one transaction per request with the same checks and writes, and against the transaction
// of three writes that one writes by hand. Same mongod, alternating rounds.
import { acceptJobs, type AcceptedJob } from "../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../core/studio/jobs/check-request.ts";
import { TooManyConflicts } from "../core/base/mongo/errors.ts";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { Caller } from "../proto/caller.ts";
import { type ByHand, openByHand } from "./support/by-hand.ts";
import { byTurns, drive, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 64;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const ACCOUNTS = 1_000;

export async function run(): Promise<void> {
  await onBenchApp("accept", async (app) => {
    const many = await createCustomers(app, ACCOUNTS);
    const grouped = createAcceptQueue(app);
    // On one account nearly all of them conflict: one that loses for too long is sent again, as a client does it.
    const single = async (request: AcceptRequest): Promise<AcceptedJob> => {
      try {
        const [result] = await acceptJobs(app, [request]);
        if (result?.status === "fulfilled") return result.value;
        throw result?.reason;
      } catch (error) {
        if (error instanceof TooManyConflicts) return single(request);
        throw error;
      }
    };
    const { client } = app.mongo;
    const hand = await openByHand(client, "by_hand", ACCOUNTS);
    await compare(`${CALLERS} callers over ${ACCOUNTS} accounts`, many, { grouped, single, hand });
    await compare(`${CALLERS} callers on one account`, many.slice(0, 1), { grouped, single, hand });
  });
}

type Contenders = { readonly grouped: Accept; readonly single: Accept; readonly hand: ByHand };

async function compare(
  title: string,
  callers: readonly Caller[],
  { grouped, single, hand }: Contenders,
): Promise<void> {
  const next = requestsOf(callers);
  const sides: readonly [string, (i: number) => Promise<unknown>][] = [
    ["group commit", (i) => grouped(next(i))],
    ["one transaction each", (i) => single(next(i))],
    ["three writes by hand", (i) => hand.accept(i % callers.length)],
  ];
  const rounds = await byTurns(sides, ROUNDS, ([, accept]) => drive(CALLERS, ROUND_MS, accept));
  const [ours, ...rivals] = rounds.map(medianLoad);
  if (!ours) return;
  console.log(`${title}, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`);
  printTable(
    ["", "accepts/s", "p50 ms", "p99 ms", "group commit is"],
    [ours, ...rivals].map((load, n) => [
      sides[n]?.[0] ?? "",
      rate(load.perSecond),
      ms(load.p50Ms),
      ms(load.p99Ms),
      n === 0 ? "" : `${(ours.perSecond / load.perSecond).toFixed(1)} x`,
    ]),
  );
  console.log();
}
