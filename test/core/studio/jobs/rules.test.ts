// Tables of every job step from every state. All inputs are frozen, so that a rule that mutates them fails.
import { describe, expect, test } from "vitest";
import { turnOf } from "../../../../core/identity/accounts/rules.ts";
import { requestCancel } from "../../../../core/studio/jobs/cancel-rules.ts";
import {
  acceptJob,
  changedJob,
  claimJob,
  completeJob,
  creditsCharged,
  returnJob,
  toJobEvents,
  isEnded,
  mayBeTriedAgain,
  recountSlots,
  refundJob,
  refuseAccept,
  releaseJob,
  shareSlots,
  takeOverJob,
  WAITING_PER_SLOT,
  waitAfterRescueMs,
} from "../../../../core/studio/jobs/rules.ts";
import { accountDoc, at, combinations, frozen, jobDoc, NOW, planDoc } from "../../../fixtures/docs.ts";

const STATES = ["reserved", "running", "completed", "failed", "cancelled"] as const;
const LEASE = frozen({ worker: "w2", until: at(900) });
const HELD = frozen({ worker: "w1", epoch: 3, lastEventAt: at(-100) });
const ERROR = frozen({ code: "provider_failed", message: "It broke." });
const OUTPUT = frozen({
  output_id: "out_1",
  mime_type: "image/png",
  bytes: 1,
  sha256: "0",
  width: 1,
  height: 1,
  duration_seconds: null,
  expires_at: at(1),
});
const plan = planDoc();
/** 5 of 100 credits held for one waiting job, and 1 of 2 slots used. */
const account = accountDoc({
  held: 5,
  waiting: 1,
  running: 1,
  turn: 7,
  ledger_seq: 1,
  ledger_hash: "1".repeat(64),
});
const loaded = frozen({ account, plan });

type State = (typeof STATES)[number];
const INTENTS = {
  claim: (state: State) => claimJob(loaded, jobDoc(state), LEASE, NOW),
  cancel: (state: State) => releaseJob(loaded, jobDoc(state), { state: "cancelled" }, NOW),
  expire: (state: State) => releaseJob(loaded, jobDoc(state), { state: "failed", error: ERROR }, NOW),
  complete: (state: State) => completeJob(jobDoc(state), HELD, { outputs: [OUTPUT] }, NOW),
  fail: (state: State) => refundJob(loaded, jobDoc(state), HELD, { state: "failed", error: ERROR }, NOW),
  cancelCall: (state: State) => refundJob(loaded, jobDoc(state), HELD, { state: "cancelled" }, NOW),
  wish: (state: State) => requestCancel(jobDoc(state), NOW),
  takeOver: (state: State) => takeOverJob(jobDoc(state), LEASE, NOW),
};
type Intent = keyof typeof INTENTS;

/** A worker's step needs its lease, not the job's state at the claim: the write finds a running job, or nothing. */
const WORKERS = { complete: "completed", fail: "failed", cancelCall: "cancelled" } as const;

/** The state after each allowed step; every other one throws. */
const NEXT: Record<State, Partial<Record<Intent, State>>> = {
  reserved: { claim: "running", cancel: "cancelled", expire: "failed", ...WORKERS },
  running: { takeOver: "running", wish: "running", ...WORKERS },
  completed: WORKERS,
  failed: WORKERS,
  cancelled: WORKERS,
};

describe("[JOB-03] every job step from every state", () => {
  const rows = combinations({ state: STATES, intent: Object.keys(INTENTS) as Intent[] });
  test.each(rows)("$intent of a $state job", ({ state, intent }) => {
    const next = NEXT[state][intent];
    const step = () => INTENTS[intent](state);
    if (next === undefined) {
      expect(step).toThrow(`job job_1 is ${state}, not `);
      return;
    }
    const taken = step();
    const change = "change" in taken ? taken.change : taken;
    const job = changedJob(jobDoc(state), frozen(change));
    expect(job.state).toBe(next);
    expect(job.events.at(-1)?.state).toBe(next);
    expect(job.version).toBe(job.events.length);
    expect(job.lease !== null).toBe(next === "running");
    if (isEnded(next)) expect(job.ended_at).toEqual(NOW);
    for (const event of change.events) expect(event).toMatchObject({ state: next, at: NOW });
  });
});

describe("[LED-02] [LED-07] the effect of each step on credits, slots and line", () => {
  // The resulting [balance, held, waiting, running, turn].
  const AFTER = {
    claim: [95, 0, 0, 2, null],
    cancel: [100, 0, 0, 1, null],
    expire: [100, 0, 0, 1, null],
    // saveFreedSlots frees the slot in one statement for all accounts.
    fail: [105, 5, 1, 1, 7],
    cancelCall: [105, 5, 1, 1, 7],
  } as const;
  const EVENTS = {
    claim: ["debited", "running"],
    cancel: ["released", "cancelled"],
    expire: ["released", "failed"],
    fail: ["refunded", "failed"],
    cancelCall: ["refunded", "cancelled"],
  };
  test.each([
    ["claim", "reserved", "debit"],
    ["cancel", "reserved", "release"],
    ["expire", "reserved", "release"],
    ["fail", "running", "refund"],
    ["cancelCall", "running", "refund"],
  ] as const)("%s of a %s job is a %s", (intent, state, kind) => {
    const { account: after, entry, change } = INTENTS[intent](state);
    const reason = intent === "expire" || intent === "fail" ? ERROR : undefined;
    expect(change.events.map(({ detail }) => detail)).toEqual([undefined, reason]);
    expect([after.balance, after.held, after.waiting, after.running, after.turn]).toEqual(AFTER[intent]);
    expect(entry).toMatchObject({
      kind,
      seq: 2,
      prev_hash: account.ledger_hash,
      job_id: "job_1",
      source: "api",
      key_id: "key_1",
    });
    expect(after).toMatchObject({ ledger_seq: 2, ledger_hash: entry.hash });
    expect(change.events.map(({ type }) => type)).toEqual(EVENTS[intent]);
  });

  test("accepting holds the price, and is the job's first event", () => {
    const given = jobDoc("reserved", { events: [], version: 0 });
    const { account: after, entry, job } = acceptJob(loaded, given, NOW);
    expect(after).toMatchObject({ balance: 100, held: 10, waiting: 2, running: 1, turn: 7 });
    expect(entry).toMatchObject({ kind: "reserve", amount: 0, hold: 5 });
    expect(job).toEqual({ ...given, version: 1, events: [{ type: "reserved", state: "reserved", at: NOW }] });
  });

  test("the result of one step is the input of the next", () => {
    const accepted = acceptJob(
      frozen({ account: accountDoc(), plan }),
      jobDoc("reserved", { events: [] }),
      NOW,
    );
    const job = frozen(accepted.job);
    const claimed = claimJob(frozen({ account: accepted.account, plan }), job, LEASE, at(1));
    const running = frozen(changedJob(job, claimed.change));
    const failed = refundJob(
      frozen({ account: claimed.account, plan }),
      running,
      { worker: "w2", epoch: 4, lastEventAt: at(1) },
      { state: "failed", error: ERROR },
      at(2),
    );
    expect(failed.account).toMatchObject({ balance: 100, held: 0, waiting: 0, ledger_seq: 3 });
    expect(failed.entry.prev_hash).toBe(claimed.entry.hash);
    expect(changedJob(running, failed.change).events.map(({ type }) => type)).toEqual([
      "reserved",
      "debited",
      "running",
      "refunded",
      "failed",
    ]);
  });
});

describe("conditions of a job's writes", () => {
  test("a job read in the transaction must be unchanged; a worker's must have its lease", () => {
    const read = { epoch: 3, version: 1 };
    expect(INTENTS.claim("reserved").change.guard).toEqual(read);
    expect(INTENTS.cancel("reserved").change.guard).toEqual(read);
    expect(INTENTS.expire("reserved").change.guard).toEqual(read);
    expect(INTENTS.takeOver("running").guard).toEqual({ epoch: 3, version: 3 });
    expect(INTENTS.complete("running").guard).toEqual({ epoch: 3, worker: "w1" });
    expect(INTENTS.fail("running").change.guard).toEqual({ epoch: 3, worker: "w1" });
    expect(INTENTS.cancelCall("running").change.guard).toEqual({ epoch: 3, worker: "w1" });
    expect(INTENTS.wish("running").guard).toEqual({ epoch: 3, version: 3 });
  });

  test("each claim has a fencing token of its own", () => {
    expect(INTENTS.claim("reserved").change.set).toEqual({
      state: "running",
      started_at: NOW,
      epoch: 4,
      lease: LEASE,
    });
    expect(INTENTS.takeOver("running").set).toEqual({ epoch: 4, lease: LEASE, rescues: 1 });
  });

  test("an end states the remaining counts", () => {
    const end = { ended_at: NOW, lease: null };
    expect(INTENTS.complete("running").set).toEqual({ state: "completed", ...end, outputs: [OUTPUT] });
    expect(INTENTS.complete("running").events[0]?.detail).toEqual({ outputs: ["out_1"] });
    expect(INTENTS.fail("running").change.set).toEqual({ state: "failed", ...end, error: ERROR });
    expect(INTENTS.cancelCall("running").change.set).toEqual({ state: "cancelled", ...end, error: null });
    expect(INTENTS.expire("reserved").change.set).toEqual({ state: "failed", ended_at: NOW, error: ERROR });
    expect(INTENTS.cancel("reserved").change.set).toEqual({ state: "cancelled", ended_at: NOW, error: null });
  });

  test("no event is earlier than the one before it, for any clock", () => {
    const late = frozen({ ...HELD, lastEventAt: at(50) });
    const lateAccount = frozen({ account: accountDoc({ held: 5, waiting: 1, ledger_at: at(50) }), plan });
    const lateJob = jobDoc("running", { events: [{ type: "running", state: "running", at: at(50) }] });
    const events = [
      completeJob(jobDoc("running"), late, { outputs: [] }, NOW).events,
      refundJob(loaded, jobDoc("running"), late, { state: "cancelled" }, NOW).change.events,
      requestCancel(lateJob, NOW).events,
      takeOverJob(lateJob, LEASE, NOW).events,
      claimJob(lateAccount, jobDoc("reserved"), LEASE, NOW).change.events,
      releaseJob(lateAccount, jobDoc("reserved"), { state: "cancelled" }, NOW).change.events,
      acceptJob(lateAccount, jobDoc("reserved", { events: [] }), NOW).job.events,
    ];
    for (const event of events.flat()) expect(event.at).toEqual(at(50));
  });
});

describe("[ERR-18] refuseAccept", () => {
  const full = WAITING_PER_SLOT * plan.concurrency;
  // A full queue is reported before missing credits, because more credits would not help.
  const rows = combinations({
    waiting: [0, full - 1, full, full + 1],
    available: [0, 4, 5, 6],
    held: [0, 20],
  });
  test.each(rows)(
    "$waiting waiting, $available credits available, $held held",
    ({ waiting, available, held }) => {
      const refused = refuseAccept(
        { account: accountDoc({ waiting, held, balance: available + held }), plan },
        5,
      );
      const wanted = waiting >= full ? "queue_full" : available < 5 ? "insufficient_credits" : undefined;
      expect(refused?.code).toBe(wanted);
      if (wanted === "queue_full") expect(refused?.retryAfterSeconds).toBe(5);
      if (wanted === "insufficient_credits")
        expect(refused?.numbers).toEqual({ credits_required: 5, credits_available: available });
    },
  );
});

test("an account is in line exactly while it is active, has waiting jobs and a free slot", () => {
  const rows = combinations({
    status: ["active", "suspended", "deleted"] as const,
    waiting: [0, 1, 9],
    running: [0, 1, 2, 3],
    served_at: [0, 7],
  });
  for (const row of rows) {
    const inLine = row.status === "active" && row.waiting > 0 && row.running < 2;
    expect([row, turnOf(row, plan)]).toEqual([row, inLine ? row.served_at : null]);
    const counted = recountSlots(frozen({ account: accountDoc({ ...row, running: 8 }), plan }), row.running);
    expect(counted).toEqual(accountDoc({ ...row, turn: inLine ? row.served_at : null }));
  }
});

test("an account that was served goes to the end of the line", () => {
  const roomy = frozen({ account: accountDoc({ held: 5, waiting: 2, turn: 7 }), plan });
  const served = NOW.getTime();
  expect(claimJob(roomy, jobDoc("reserved"), LEASE, NOW).account).toMatchObject({
    served_at: served,
    turn: served,
  });
});

test("shareSlots gives one slot to each account in turn, up to its free slots and the limit", () => {
  const ROWS: [free: number[], limit: number, shares: number[]][] = [
    [[], 5, []],
    [[0], 5, [0]],
    [[3], 0, [0]],
    [[3], 2, [2]],
    [[3], 9, [3]],
    [[1, 3], 3, [1, 2]],
    [[3, 3], 3, [2, 1]],
    [[3, 0, 3], 3, [2, 0, 1]],
    [[1, 1, 1], 2, [1, 1, 0]],
    [[1, 5, 2], 7, [1, 4, 2]],
  ];
  for (const [free, limit, shares] of ROWS)
    expect(shareSlots(frozen(free.map((slots) => ({ free: slots }))), limit)).toEqual(shares);
  // All small cases: no slot stays free while an account has room, and no account with room is two behind another.
  for (const { a, b, c, limit } of combinations({
    a: [0, 1, 2, 3],
    b: [0, 1, 2, 3],
    c: [0, 1, 2, 3],
    limit: [0, 1, 2, 4, 9],
  })) {
    const free = [a, b, c];
    const shares = shareSlots(
      free.map((slots) => ({ free: slots })),
      limit,
    );
    expect(shares.reduce((x, y) => x + y)).toBe(Math.min(limit, a + b + c));
    const [most, roomy] = [Math.max(...shares), shares.filter((share, i) => share < (free[i] ?? 0))];
    for (const share of roomy) expect(most - share).toBeLessThanOrEqual(1);
    expect(shares.every((share, i) => share <= (free[i] ?? 0))).toBe(true);
  }
});

test.each(STATES)("an operator can refund the price of a %s job only where it is completed", (state) => {
  const give = () => returnJob(loaded, jobDoc(state, { credits: 5 }), NOW);
  if (state !== "completed") {
    expect(give).toThrow(`job job_1 is ${state}, not completed`);
    return;
  }
  const { account: after, entry, change } = give();
  expect(entry).toMatchObject({ kind: "refund", amount: 5, hold: 0, memo: null });
  expect([after.balance, after.held, after.running]).toEqual([
    loaded.account.balance + 5,
    loaded.account.held,
    loaded.account.running,
  ]);
  const job = changedJob(jobDoc(state), frozen(change));
  expect(job.events.at(-1)).toMatchObject({ type: "refunded", state: "completed" });
  expect([job.state, job.refunded_at, creditsCharged(job)]).toEqual(["completed", entry.created_at, 0]);
});

test("a job is charged from its claim until it fails", () => {
  const charged = STATES.map((state) => [state, creditsCharged({ state, credits: 5 }), isEnded(state)]);
  expect(charged).toEqual([
    ["reserved", 0, false],
    ["running", 5, false],
    ["completed", 5, true],
    ["failed", 0, true],
    ["cancelled", 0, true],
  ]);
});

test("[JOB-02] events are numbered, and those of money name their entry and the price", () => {
  const money = { reserved: "reserve", debited: "debit", released: "return", refunded: "return" };
  const types = [
    "reserved",
    "debited",
    "running",
    "progress",
    "retrying",
    "refunded",
    "released",
    "completed",
    "failed",
    "cancelled",
  ] as const;
  const job = jobDoc("running", {
    events: types.map((type) => ({
      type,
      state: "running",
      at: NOW,
      ...(type === "progress" && { detail: { percent: 5 } }),
    })),
  });
  expect(toJobEvents(job)).toEqual(
    types.map((type, i) => {
      const settlement = Object.entries(money).find(([of]) => of === type)?.[1];
      return {
        seq: i + 1,
        type,
        state: "running",
        at: NOW.toISOString(),
        ...(settlement && { ledger_entry_id: `led_1_${settlement}` }),
        detail: type === "progress" ? { percent: 5 } : settlement ? { credits: 5 } : {},
      };
    }),
  );
});

test("a job is given up after three rescues, or twenty where its provider can be asked for its result", () => {
  const call = { provider: "test", provider_model: "test", at: new Date(0) };
  const tried = (rescues: number, handle?: string) =>
    mayBeTriedAgain({ rescues, call: { ...call, ...(handle !== undefined && { handle }) } });
  expect([mayBeTriedAgain({ rescues: 3 }), mayBeTriedAgain({ rescues: 4 })]).toEqual([true, false]);
  expect([tried(3), tried(4), tried(4, "h"), tried(20, "h"), tried(21, "h")]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect([0, 3, 4, 5, 9, 10, 20].map((rescues) => waitAfterRescueMs({ rescues }))).toEqual([
    0, 0, 1_000, 2_000, 32_000, 60_000, 60_000,
  ]);
});
