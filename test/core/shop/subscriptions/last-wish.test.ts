// Cancelled and taken up again while the provider is still being told: it ends as the person wished last, whatever is slow, lost or dead.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import {
  type PaymentEventBody,
  type PaymentProvider,
  PaymentProviderFailed,
  type SubscriptionState,
} from "../../../../core/adapters/payments/provider.ts";
import { carryOutTask } from "../../../../core/shop/subscriptions/carry-out.ts";
import {
  cancelSubscription,
  changeSubscription,
  resumeSubscription,
} from "../../../../core/shop/subscriptions/change.ts";
import { findSubscriptions, type SubscriptionDoc } from "../../../../core/shop/subscriptions/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import {
  createShopFixture,
  paidEvent,
  placeAndGo,
  PRO,
  type ShopFixture,
  tell,
} from "../orders/shop-fixture.ts";

const HISTORIES = 25;
const MINUTE_MS = 60_000;
/** Longer than one process may be telling. */
const LONG_MS = 3 * MINUTE_MS;
const clock = createFakeClock("2026-01-10T12:00:00.000Z");
let world: ShopFixture;
let people = 0;

beforeAll(async () => {
  world = await createShopFixture({ clock });
});
afterAll(() => world.close());
beforeEach(() => {
  world.provider.isAway = false;
});

type Wanted = Parameters<PaymentProvider["cancelSubscription"]>[0];
type Call = Wanted & {
  isAnswered: boolean;
  /** Whoever made it is gone, or waits for it no more; it arrives at the provider all the same. */
  isLost: boolean;
  /** Its process has slept since before it was sent, for longer than one may be telling. */
  isAsleep: boolean;
  isNever: boolean;
  answer(this: void, state: SubscriptionState): void;
  fail(this: void, error: Error): void;
};

/** Does nothing of its own accord: the test says when a call arrives and when it is answered. A key counts once. */
function slowProvider(provider: PaymentProvider) {
  const calls: Call[] = [];
  const keys = new Set<string>();
  const there = { endsThen: false };
  const cancelSubscription: PaymentProvider["cancelSubscription"] = (wanted) =>
    new Promise((answer, fail) => {
      calls.push({
        ...wanted,
        isAnswered: false,
        isLost: false,
        isAsleep: false,
        isNever: false,
        answer,
        fail,
      });
    });
  const arrive = ({ idempotencyKey, when, isNever }: Call) => {
    if (isNever || keys.has(idempotencyKey)) return;
    keys.add(idempotencyKey);
    there.endsThen = when === "period_end";
  };
  const answer = (call: Call) => {
    arrive(call);
    call.isAnswered = true;
    const { endsThen } = there;
    call.answer({ subscriptionRef: call.ref, subscriptionId: null, paidUntil: new Date(0), endsThen });
  };
  return { calls, there, arrive, answer, provider: { ...provider, cancelSubscription } };
}

type Step = "cancel" | "resume" | "work" | "wait" | `${"arrive" | "answer" | "time out" | "die"} ${number}`;

async function joined(): Promise<string> {
  people += 1;
  const person = { email: `wish-${people}@example.com`, name: "Person", plan: "free" };
  const accountId = (await openAccount(world.app, person))._id;
  const order = await placeAndGo(world.app, accountId, PRO, 2_900);
  const paid = paidEvent(world.app, order) as Extract<PaymentEventBody, { kind: "paid" }>;
  expect(await tell(world.app, { ...paid, subscriptionRef: `s_${order._id}` })).toBe("fulfilled");
  return accountId;
}

async function subscriptionOf(accountId: string): Promise<SubscriptionDoc> {
  const [found] = await findSubscriptions(world.app.mongo.db, accountId);
  if (!found) throw new Error("no subscription");
  return found;
}

/** Plays the steps and then lets time go by. Answers what the person wished last and what the provider does. */
async function play(steps: readonly Step[]): Promise<{ wished: boolean; endsThen: boolean; most: number }> {
  const accountId = await joined();
  const slow = slowProvider(world.provider);
  const { calls } = slow;
  const payments = { known: new Map([["scripted", slow.provider]]), current: slow.provider, demo: undefined };
  const app: App = { ...world.app, payments };
  let running = 0;
  let wished = false;
  let most = 0;
  const waiting = () => calls.filter(({ isAnswered }) => !isAnswered);
  /** Until everything that goes on waits for the provider, or will wait for ever. */
  const quiet = async () => {
    while (running !== waiting().length) await new Promise((resolve) => setTimeout(resolve, 1));
    most = Math.max(most, waiting().filter(({ isLost }) => !isLost).length);
  };
  const begin = (work: Promise<unknown>) => {
    running += 1;
    void work.finally(() => (running -= 1));
  };
  /** What was sent has arrived by now; what its process has slept over was not sent. */
  const loseAll = () => calls.filter(({ isLost }) => isLost).forEach(slow.arrive);
  const take = (step: Step) => {
    if (step === "cancel" || step === "resume") {
      wished = step === "cancel";
      begin((step === "cancel" ? cancelSubscription : resumeSubscription)(app, accountId, "plan"));
    } else if (step === "work") begin(carryOutTask(app, undefined));
    else if (step === "wait") {
      loseAll();
      for (const call of waiting()) call.isAsleep = true;
      clock.advance(LONG_MS);
    } else {
      const [, what, number] = /^(.+) (\d+)$/.exec(step) ?? [];
      const open = waiting().filter(({ isLost }) => !isLost);
      const call = open[Number(number) % Math.max(open.length, 1)];
      if (!call) return;
      if (what === "arrive" && call.isAsleep) return;
      if (what === "arrive") slow.arrive(call);
      else if (what === "answer") slow.answer(call);
      else call.isLost = true;
      // Dead before it woke up.
      if (what === "die" && call.isAsleep) call.isNever = true;
      if (what !== "time out") return;
      call.isAnswered = true;
      call.fail(new PaymentProviderFailed("it did not answer in time"));
    }
  };
  for (const step of steps) {
    take(step);
    await quiet();
  }
  for (let round = 0; round < 20; round += 1) {
    for (const call of waiting()) if (!call.isLost) slow.answer(call);
    await quiet();
    if (waiting().some(({ isLost }) => !isLost)) continue;
    if ((await subscriptionOf(accountId)).task === null) break;
    take("wait");
    take("work");
    await quiet();
  }
  loseAll();
  const after = await subscriptionOf(accountId);
  expect([after.task, after.next_task_at]).toEqual([null, null]);
  expect(after.state).toBe(wished ? "cancelling" : "active");
  return { wished, endsThen: slow.there.endsThen, most };
}

test.each<[string, Step[]]>([
  ["resumed while the provider is told of the end", ["cancel", "resume", "answer 1", "answer 0"]],
  [
    "both answered the wrong way round, and pressed once more",
    ["cancel", "resume", "cancel", "answer 1", "answer 0"],
  ],
  [
    "the one that told of the end died before it arrived",
    ["cancel", "die 0", "resume", "work", "answer 0", "wait"],
  ],
  ["no answer in time, and it arrives late", ["cancel", "time out 0", "resume", "work", "answer 0", "wait"]],
  ["a process that slept while others went on", ["cancel", "resume", "wait", "work", "answer 1", "answer 0"]],
  [
    "a process that slept while others went on twice",
    ["cancel", "resume", "wait", "work", "answer 1", "cancel", "answer 1", "resume", "answer 1", "answer 0"],
  ],
  [
    "a process that slept while others went on, and then had no answer in time",
    ["cancel", "resume", "wait", "work", "answer 1", "time out 0", "cancel", "resume", "answer 0"],
  ],
  [
    "taken up again, and cancelled meanwhile",
    ["cancel", "answer 0", "resume", "cancel", "answer 1", "answer 0"],
  ],
])("the last wish counts: %s", async (_what, steps) => {
  const { wished, endsThen } = await play(steps);
  expect(endsThen).toBe(wished);
});

test("the provider is told of one wish at a time", async () => {
  expect((await play(["cancel", "resume", "work", "cancel", "work"])).most).toBe(1);
});

test(
  "the last wish counts in any order of presses, answers, deaths and sleeps",
  { timeout: 240_000 },
  async () => {
    const number = fc.nat({ max: 3 });
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Step>("cancel", "resume") },
      { weight: 2, arbitrary: fc.constantFrom<Step>("work", "wait") },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom("arrive", "answer", "time out", "die"), number)
          .map(([what, which]) => `${what} ${which}` as Step),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { wished, endsThen } = await play(steps);
        expect(endsThen).toBe(wished);
      }),
      { numRuns: HISTORIES },
    );
    expect(await auditFindings(world.app)).toEqual([]);
  },
);

test("a change does not push aside that it goes on", async () => {
  const accountId = await joined();
  await cancelSubscription(world.app, accountId, "plan");
  world.provider.isAway = true;
  await resumeSubscription(world.app, accountId, "plan");
  const wanted = { kind: "plan", what: "studio", interval: "month" } as const;
  await expect(
    changeSubscription(world.app, accountId, { ...wanted, expectedCents: 9_900 }),
  ).rejects.toMatchObject({
    code: "order_conflict",
  });
  world.provider.isAway = false;
  clock.advance(LONG_MS);
  while (await carryOutTask(world.app));
  expect(world.provider.told.at(-1)).toMatchObject({ when: "resume" });
});

test("what a change has cost is had, though it was cancelled while the provider was told", async () => {
  const accountId = await joined();
  let pay: (state: SubscriptionState) => void = () => undefined;
  const provider: PaymentProvider = {
    ...world.provider,
    changeSubscription: () => new Promise((resolve) => (pay = resolve)),
  };
  const payments = { known: new Map([["scripted", provider]]), current: provider, demo: undefined };
  const app: App = { ...world.app, payments };
  const change = { kind: "plan", what: "studio", interval: "month", expectedCents: 9_900 } as const;
  const changing = changeSubscription(app, accountId, change);
  while ((await subscriptionOf(accountId)).task_attempts === 0);
  expect((await cancelSubscription(app, accountId, "plan")).state).toBe("cancelling");
  const paidUntil = new Date(clock.now().getTime() + 30 * 24 * 60 * MINUTE_MS);
  pay({ subscriptionRef: "s", subscriptionId: null, paidUntil, endsThen: false });
  await changing;
  expect(await subscriptionOf(accountId)).toMatchObject({
    state: "cancelling",
    what: "studio",
    period_end: paidUntil,
  });
  expect(world.provider.told.at(-1)).toMatchObject({ when: "period_end" });
});
