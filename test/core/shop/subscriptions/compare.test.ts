// A subscription is compared with its provider until they are equal: the account's last request wins, and a change is charged once, under
// delays, lost calls, refusals and crashes.
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type PaymentEventBody,
  type PaymentProvider,
  PaymentProviderFailed,
  type ProviderSubscription,
} from "../../../../core/adapters/payments/provider.ts";
import { take } from "../../../../core/base/work/queue.ts";
import { NO_WORK } from "../../../../core/base/work/rules.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { endAnySubscription } from "../../../../core/shop/subscriptions/any-subscription.ts";
import {
  cancelSubscription,
  dropChange,
  resumeSubscription,
} from "../../../../core/shop/subscriptions/change.ts";
import { TELLING_MS } from "../../../../core/shop/subscriptions/compare-rules.ts";
import { compareSubscription } from "../../../../core/shop/subscriptions/compare.ts";
import { subscriptions } from "../../../../core/shop/subscriptions/store.ts";
import { AppError } from "../../../../proto/codes.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { drawn } from "../../../support/thorough.ts";
import {
  changePlan,
  openPerson,
  paidEvent,
  payingWith,
  placeAndGo,
  PRO,
  subscriptionOf,
  tell,
  useShop,
} from "../orders/shop-fixture.ts";

const HISTORIES = drawn(40);
const MINUTE_MS = 60_000;
/** Longer than the lease of one process. */
const LONG_MS = TELLING_MS + MINUTE_MS;
const clock = createFakeClock("2026-01-10T12:00:00.000Z");

const world = useShop({ clock });
beforeEach(() => {
  world.provider.isAway = false;
});

type Call = {
  kind: "read" | "cancel" | "change";
  /** The call's effect at arrival. Returns the state that it then sees. */
  effect: () => ProviderSubscription | null;
  isAnswered: boolean;
  /** Its process is gone or has timed out; the call still arrives at the provider. */
  isLost: boolean;
  /** Its process was paused before sending it, for longer than its lease. */
  isAsleep: boolean;
  isNever: boolean;
  seen: ProviderSubscription | null | undefined;
  answer(this: void, seen: ProviderSubscription | null): void;
  fail(this: void, error: Error): void;
};

/** The test decides when a call arrives and when it is answered. A key has one effect, also for a refusal. */
function slowProvider(provider: PaymentProvider, { readsAreSlow }: { readsAreSlow: boolean }) {
  const calls: Call[] = [];
  const keys = new Set<string>();
  const charges: number[] = [];
  const there: { -readonly [Key in keyof ProviderSubscription]: ProviderSubscription[Key] } = {
    hasEnded: false,
    endsThen: false,
    paidUntil: new Date(clock.now().getTime() + 30 * 24 * 60 * MINUTE_MS),
    price: { amountCents: 2_900, every: "month" },
    nextPrice: null,
  };
  const call = (kind: Call["kind"], effect: Call["effect"]) =>
    new Promise<ProviderSubscription | null>((answer, fail) => {
      const flags = { isAnswered: false, isLost: false, isAsleep: false, isNever: false, seen: undefined };
      calls.push({ kind, effect, ...flags, answer, fail });
    });
  const once = (key: string, effect: () => void) => () => {
    if (!keys.has(key) && !there.hasEnded) effect();
    keys.add(key);
    return null;
  };
  const slow: PaymentProvider = {
    ...provider,
    readSubscription: () => {
      const effect = () => structuredClone(there);
      return readsAreSlow ? call("read", effect) : Promise.resolve(effect());
    },
    cancelSubscription: async ({ idempotencyKey, when }) => {
      const effect = () => {
        if (when === "now") there.hasEnded = true;
        else Object.assign(there, { endsThen: when === "period_end", nextPrice: null });
      };
      await call("cancel", once(idempotencyKey, effect));
    },
    changeSubscription: async ({ idempotencyKey, item, every, when }) => {
      const price = { amountCents: item.amountCents, every };
      const effect = () => {
        if (when === "period_end") return void (there.nextPrice = price);
        charges.push(item.amountCents);
        Object.assign(there, { price, nextPrice: null });
      };
      await call("change", once(idempotencyKey, effect));
    },
  };
  const arrive = (one: Call) => {
    if (!one.isNever && one.seen === undefined) one.seen = one.effect();
  };
  const answer = (one: Call) => {
    arrive(one);
    one.isAnswered = true;
    one.answer(one.seen ?? null);
  };
  return { calls, there, charges, arrive, answer, provider: slow };
}

const OFFERS = { starter: 900, pro: 2_900, studio: 9_900 } as const;
type Press = "cancel" | "resume" | "drop" | keyof typeof OFFERS;
type Step =
  | Press
  | "work"
  | "wait"
  | "clock back"
  | "ended there"
  | `${"arrive" | "answer" | "decline" | "time out" | "die"} ${number}`;

async function joined(): Promise<string> {
  const { accountId } = await openPerson(world.app);
  const order = await placeAndGo(world.app, accountId, PRO, 2_900);
  const paid = paidEvent(world.app, order) as Extract<PaymentEventBody, { kind: "paid" }>;
  expect(await tell(world.app, { ...paid, subscriptionRef: `s_${order._id}` })).toBe("fulfilled");
  return accountId;
}

const find = (accountId: string) => subscriptionOf(world.app, accountId);

const appWith = (provider: PaymentProvider) => payingWith(world.app, provider);

const change = (app: App, accountId: string, what: keyof typeof OFFERS) =>
  changePlan(app, accountId, what, OFFERS[what]);

function press(app: App, accountId: string, what: Press): Promise<unknown> {
  if (what === "cancel") return cancelSubscription(app, accountId, "plan");
  if (what === "resume") return resumeSubscription(app, accountId, "plan");
  return what === "drop" ? dropChange(app, accountId, "plan") : change(app, accountId, what);
}

/** Plays the steps and lets time pass. Returns the account's last request and the provider's state. */
async function play(steps: readonly Step[], { readsAreSlow = false } = {}) {
  const accountId = await joined();
  const slow = slowProvider(world.provider, { readsAreSlow });
  const { calls, there } = slow;
  const app = appWith(slow.provider);
  let running = 0;
  let wished = false;
  /** Requested changes that may cost money. */
  let changes = 0;
  let most = 0;
  const waiting = () => calls.filter(({ isAnswered }) => !isAnswered);
  /** Runs until every call waits for the provider or forever. */
  const quiet = async () => {
    while (running !== waiting().length) await new Promise((resolve) => setTimeout(resolve, 1));
    most = Math.max(most, waiting().filter(({ isLost, kind }) => !isLost && kind !== "read").length);
  };
  const begin = (work: Promise<unknown>) => {
    running += 1;
    const ended = () => void (running -= 1);
    void work.then(ended, (error: unknown) => {
      ended();
      if (!(error instanceof AppError)) throw error;
    });
  };
  /** Sent calls have arrived by now; those of a paused process were not sent. */
  const loseAll = () => calls.filter(({ isLost }) => isLost).forEach(slow.arrive);
  const act = (what: string, call: Call) => {
    if (what === "arrive") return void (call.isAsleep || slow.arrive(call));
    if (what === "answer") return slow.answer(call);
    if (what === "decline") {
      if (call.kind !== "change" || call.seen !== undefined) return;
      Object.assign(call, { isAnswered: true, isNever: true });
      return call.fail(new PaymentProviderFailed("declined", { isFinal: true, why: "declined" }));
    }
    call.isLost = true;
    // Dead before it resumed.
    if (what === "die") return void (call.isNever = call.isAsleep);
    call.isAnswered = true;
    call.fail(new PaymentProviderFailed("it did not answer in time"));
  };
  const go = (step: Step) => {
    if (step === "work") return begin(compareSubscription(app));
    if (step === "clock back") return clock.advance(-MINUTE_MS / 2);
    if (step === "ended there") return void (there.hasEnded = true);
    if (step === "wait") {
      loseAll();
      for (const call of waiting()) call.isAsleep = true;
      return clock.advance(LONG_MS);
    }
    const [, what, number] = /^(.+) (\d+)$/.exec(step) ?? [];
    if (what === undefined) {
      if (step === "cancel" || step === "resume") wished = step === "cancel";
      if (step in OFFERS) changes += 1;
      return begin(press(app, accountId, step as Press));
    }
    const open = waiting().filter(({ isLost }) => !isLost);
    const call = open[Number(number) % Math.max(open.length, 1)];
    if (call) act(what, call);
  };
  for (const step of steps) {
    go(step);
    await quiet();
  }
  let waits = 0;
  for (let round = 0; round < 60; round += 1) {
    for (const call of waiting()) if (!call.isLost) slow.answer(call);
    await quiet();
    if (waiting().some(({ isLost }) => !isLost)) continue;
    if (!(await find(accountId)).work?.due_at) break;
    waits += 1;
    go("wait");
    go("work");
    await quiet();
  }
  loseAll();
  const after = await find(accountId);
  expect([after.work ?? NO_WORK, after.telling_until ?? null]).toEqual([NO_WORK, null]);
  return { after, there, wished, changes, charges: slow.charges, most, waits };
}

test.each<[string, Step[]]>([
  ["resumed while the end is sent to the provider", ["cancel", "resume", "answer 1", "answer 0"]],
  ["both responses out of order, and one more press", ["cancel", "resume", "cancel", "answer 1", "answer 0"]],
  [
    "the process that sent the end died before it arrived",
    ["cancel", "die 0", "resume", "work", "answer 0", "wait"],
  ],
  ["a timeout, and the call arrives late", ["cancel", "time out 0", "resume", "work", "answer 0", "wait"]],
  [
    "a process that paused while others continued",
    ["cancel", "resume", "wait", "work", "answer 1", "answer 0"],
  ],
  [
    "a process that paused twice while others continued",
    ["cancel", "resume", "wait", "work", "answer 1", "cancel", "answer 1", "resume", "answer 1", "answer 0"],
  ],
  [
    "a process that paused while others continued, then a timeout",
    ["cancel", "resume", "wait", "work", "answer 1", "time out 0", "cancel", "resume", "answer 0"],
  ],
  [
    "resumed, and cancelled at the same time",
    ["cancel", "answer 0", "resume", "cancel", "answer 1", "answer 0"],
  ],
])("the last request wins: %s", async (_what, steps) => {
  const { after, there, wished } = await play(steps);
  expect(there.endsThen).toBe(wished);
  expect(after.state).toBe(wished ? "cancelling" : "active");
});

test("the provider gets one change at a time, each after it has answered the one before", async () => {
  const { most, waits } = await play(["cancel", "resume", "work", "cancel", "work", "resume"]);
  expect([most, waits]).toEqual([1, 0]);
});

test("for any requests, responses, refusals, crashes, pauses and clocks, the provider ends in the requested state and charges no change twice", async () => {
  const number = fc.nat({ max: 3 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Step>("cancel", "resume") },
    { weight: 2, arbitrary: fc.constantFrom<Step>("starter", "pro", "studio", "drop") },
    { weight: 3, arbitrary: fc.constantFrom<Step>("work", "wait", "clock back") },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom("arrive", "answer", "answer", "time out", "die", "decline"), number)
        .map(([what, which]) => `${what} ${which}` as Step),
    },
  );
  const history = fc.tuple(fc.array(step, { minLength: 3, maxLength: 20 }), fc.boolean(), fc.boolean());
  await fc.assert(
    fc.asyncProperty(history, async ([steps, readsAreSlow, endsThere]) => {
      const all = endsThere ? [...steps, "ended there" as const] : steps;
      const { after, there, changes, charges } = await play(all, { readsAreSlow });
      expect(charges.length).toBeLessThanOrEqual(changes);
      if (there.hasEnded) return;
      const { state, next_change, price_cents } = after;
      expect([state, there.endsThen]).toEqual(there.endsThen ? ["cancelling", true] : ["active", false]);
      expect(there.price.amountCents).toBe(price_cents);
      if (state === "active")
        expect(there.nextPrice?.amountCents ?? price_cents).toBe(next_change?.price_cents ?? price_cents);
    }),
    { numRuns: HISTORIES },
  );
  expect(await auditFindings(world.app)).toEqual([]);
});

test("a plan change does not drop a resumption", async () => {
  const accountId = await joined();
  await cancelSubscription(world.app, accountId, "plan");
  world.provider.isAway = true;
  await resumeSubscription(world.app, accountId, "plan");
  await expect(change(world.app, accountId, "studio")).rejects.toMatchObject({ code: "order_conflict" });
  world.provider.isAway = false;
  clock.advance(LONG_MS);
  while (await compareSubscription(world.app));
  expect(world.provider.told.at(-1)).toMatchObject({ when: "resume" });
});

test("a charged change is applied, though it was cancelled while the provider was called", async () => {
  const { after, there, charges } = await play(["studio", "cancel", "answer 0"]);
  expect(after).toMatchObject({ state: "cancelling", what: "studio", period_end: there.paidUntil });
  expect([charges, there.endsThen]).toEqual([[9_900], true]);
});

test("a change is charged once, though a paused process sends it after another one", async () => {
  const { after, charges } = await play(["studio", "wait", "work", "answer 1", "answer 0"]);
  expect([after.what, charges]).toEqual(["studio", [9_900]]);
});

test("a change is applied once charged, though it was withdrawn before its process resumed", async () => {
  const steps: Step[] = ["studio", "cancel", "wait", "starter", "resume", "cancel"];
  const { after, there, charges } = await play(steps);
  expect(charges).toEqual([9_900]);
  expect(after).toMatchObject({ state: "cancelling", what: "studio", price_cents: there.price.amountCents });
  expect(after.withdrawn).toEqual([]);
});

test("a change that is requested again after a withdrawal is charged once, though the first call arrives as well", async () => {
  const { after, charges } = await play(["studio", "cancel", "wait", "resume", "studio"]);
  expect([after.what, charges]).toEqual(["studio", [9_900]]);
});

test("a change that was cancelled before it arrived is not charged", async () => {
  const { after, charges } = await play(["studio", "die 0", "cancel", "resume"]);
  // The dead process's call arrives, and no other does.
  expect([after.what, charges]).toEqual(["studio", [9_900]]);
  const accountId = await joined();
  world.provider.isAway = true;
  await change(world.app, accountId, "studio");
  await cancelSubscription(world.app, accountId, "plan");
  await resumeSubscription(world.app, accountId, "plan");
  world.provider.isAway = false;
  clock.advance(LONG_MS);
  while (await compareSubscription(world.app));
  expect(await find(accountId)).toMatchObject({ state: "active", what: "pro", change: null });
});

describe("a difference at the provider", () => {
  const goOn = async () => {
    clock.advance(60 * MINUTE_MS);
    while (await compareSubscription(world.app));
  };

  test("ends a subscription here that has ended there", async () => {
    const accountId = await joined();
    const { provider_ref } = await find(accountId);
    const over = { ...(await world.provider.readSubscription(provider_ref)), hasEnded: true };
    world.provider.subscriptions.set(provider_ref, over as ProviderSubscription);
    expect(await cancelSubscription(world.app, accountId, "plan")).toMatchObject({ state: "ended" });
    expect(await find(accountId)).toMatchObject({ work: NO_WORK, due_at: null });
  });

  test("keeps the time of a subscription that is unknown there, and changes nothing", async () => {
    const accountId = await joined();
    const { provider_ref, _id } = await find(accountId);
    world.provider.subscriptions.set(provider_ref, null);
    const refused = await change(world.app, accountId, "studio");
    expect(refused).toMatchObject({ state: "active", what: "pro", change: null, work: NO_WORK });
    expect(refused.events.at(-1)?.note).toMatch(/did not take the change/);
    expect(await cancelSubscription(world.app, accountId, "plan")).toMatchObject({
      state: "cancelling",
      work: NO_WORK,
    });
    expect(await endAnySubscription(world.app, _id, "")).toMatchObject({ state: "ended", work: NO_WORK });
  });

  test("is retried after a refused cancellation, and needs attention", async () => {
    const accountId = await joined();
    const refuse = () => Promise.reject(new PaymentProviderFailed("no", { isFinal: true }));
    const app = appWith({ ...world.provider, cancelSubscription: refuse });
    await cancelSubscription(app, accountId, "plan");
    for (let i = 0; i < 3; i += 1) {
      clock.advance(60 * MINUTE_MS);
      await compareSubscription(app);
    }
    expect((await find(accountId)).work?.attempts).toBe(4);
    await goOn();
    expect(world.provider.told.at(-1)).toMatchObject({ when: "period_end" });
  });

  test("leaves a subscription cancelled after a refused resumption", async () => {
    const accountId = await joined();
    await cancelSubscription(world.app, accountId, "plan");
    const refuse = () => Promise.reject(new PaymentProviderFailed("no", { isFinal: true }));
    const app = appWith({ ...world.provider, cancelSubscription: refuse });
    const after = await resumeSubscription(app, accountId, "plan");
    expect(after).toMatchObject({ state: "cancelling", work: NO_WORK });
    expect(after.events.at(-1)?.note).toMatch(/did not take the change/);
  });

  test("is retried later, not in a loop, when an accepted change has no effect", async () => {
    const accountId = await joined();
    let calls = 0;
    const cancelSubscription_ = async () => void (calls += 1);
    const app = appWith({ ...world.provider, cancelSubscription: cancelSubscription_ });
    const { work } = await cancelSubscription(app, accountId, "plan");
    expect(calls).toBe(5);
    expect(work).toMatchObject({ attempts: 1, due_at: new Date(clock.now().getTime() + MINUTE_MS) });
    await goOn();
  });

  test("is compared again after an event during a comparison", async () => {
    const accountId = await joined();
    const of = await find(accountId);
    let read: (there: ProviderSubscription | null) => void = () => undefined;
    const stale = await world.provider.readSubscription(of.provider_ref);
    const first = new Promise<typeof stale>((done) => (read = done));
    let reads = 0;
    const slow: PaymentProvider = {
      ...world.provider,
      readSubscription: (ref) => ((reads += 1) === 1 ? first : world.provider.readSubscription(ref)),
    };
    world.provider.isAway = true;
    await cancelSubscription(world.app, accountId, "plan");
    await resumeSubscription(world.app, accountId, "plan");
    world.provider.isAway = false;
    clock.advance(LONG_MS);
    const worker = compareSubscription(appWith(slow), of._id);
    await expect.poll(async () => (await find(accountId)).work?.owner).not.toBeNull();
    const there = { ...stale, endsThen: true } as ProviderSubscription;
    world.provider.subscriptions.set(of.provider_ref, there);
    const ids = { subscriptionRef: of.provider_ref, subscriptionId: of._id };
    await tell(world.app, {
      kind: "subscription_changed",
      ...ids,
      paidUntil: of.period_end,
      endsThen: true,
    });
    // It has read the provider before the event.
    read(stale);
    await worker;
    await goOn();
    expect((await find(accountId)).state).toBe("active");
    expect((await world.provider.readSubscription(of.provider_ref))?.endsThen).toBe(false);
  });
});

describe("workers that compare subscriptions", () => {
  test("send a change once, for any number of workers", async () => {
    const accountId = await joined();
    world.provider.isAway = true;
    await change(world.app, accountId, "studio");
    await expect(change(world.app, accountId, "starter")).rejects.toMatchObject({ code: "order_conflict" });
    world.provider.isAway = false;
    while (await compareSubscription(world.app));
    world.provider.told.length = 0;
    clock.advance(LONG_MS);
    await Promise.all(Array.from({ length: 6 }, () => compareSubscription(world.app)));
    expect(world.provider.told).toHaveLength(1);
    expect(await find(accountId)).toMatchObject({ what: "studio", work: NO_WORK });
  });

  test("find the result of a worker that died before it stored it", async () => {
    const accountId = await joined();
    const { _id } = await find(accountId);
    world.provider.paidUntil = new Date(clock.now().getTime() + 30 * 24 * 60 * MINUTE_MS);
    const dying: PaymentProvider = {
      ...world.provider,
      changeSubscription: async (wanted) => {
        await world.provider.changeSubscription(wanted);
        throw new Error("dead");
      },
    };
    world.provider.told.length = 0;
    await expect(change(appWith(dying), accountId, "studio")).rejects.toThrow("dead");
    expect(await compareSubscription(world.app, _id)).toBeUndefined();
    clock.advance(LONG_MS);
    expect(await compareSubscription(world.app, _id)).toMatchObject({
      what: "studio",
      period_end: world.provider.paidUntil,
    });
    expect(world.provider.told).toHaveLength(1);
  });

  test("send nothing and store nothing once their lease has ended", async () => {
    const accountId = await joined();
    world.provider.isAway = true;
    await cancelSubscription(world.app, accountId, "plan");
    world.provider.isAway = false;
    clock.advance(LONG_MS);
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const sleepy: PaymentProvider = {
      ...world.provider,
      readSubscription: async (ref) => {
        const there = await world.provider.readSubscription(ref);
        await asleep;
        return there;
      },
    };
    const stale = compareSubscription(appWith(sleepy));
    await expect.poll(async () => (await find(accountId)).work?.owner).not.toBeNull();
    clock.advance(LONG_MS);
    const lease = { now: clock.now(), leaseMs: LONG_MS, limit: 1 };
    const [planted] = await take(subscriptions(world.app.mongo.db), lease);
    world.provider.told.length = 0;
    wake();
    await stale;
    expect(world.provider.told).toEqual([]);
    expect(await find(accountId)).toEqual(planted);
  });
});
