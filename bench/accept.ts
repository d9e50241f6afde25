// Accepting generate requests: group commit, with and without Idempotency-Keys, against a hand-written transaction of three writes on the
// same mongod, in alternating rounds. npm run bench -- accept [--quick]: short rounds, as a test.
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { Caller } from "../proto/caller.ts";
import { type ByHand, openByHand } from "./support/by-hand.ts";
import { compareLoads, drive, rate } from "./support/stats.ts";
import { auditInWords } from "./support/whole-lives.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

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
    };
    for (const callers of [64, 256])
      for (const accounts of [many, many.slice(0, 1)]) await compare(callers, accounts, contenders);
    console.log(await auditInWords(app));
  });
}

type Contenders = { readonly grouped: Accept; readonly hand: ByHand };
type Accepts = [name: string, accept: (i: number) => Promise<unknown>];

const BY_HAND = "by hand, MongoDB";
let keys = 0;

function sidesOf(customers: readonly Caller[], { grouped, hand }: Contenders): Accepts[] {
  const next = requestsOf(customers);
  const accountOf = (i: number) => i % customers.length;
  return [
    ["group commit", (i) => grouped(next(i))],
    ["group commit, Idempotency-Keys", (i) => grouped({ ...next(i), idempotencyKey: `key-${keys++}` })],
    [BY_HAND, (i) => hand.accept(accountOf(i))],
    ["by hand, one at a time for each account", (i) => hand.inTurn(accountOf(i))],
  ];
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
