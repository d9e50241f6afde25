// Every finding of the audit, planted alone in correct data, is reported and nothing else.
import { describe, expect, test } from "vitest";
import { turnOf } from "../../../../core/identity/accounts/rules.ts";
import {
  type EntryIntent,
  postEntry,
  sealEntry,
  toLedgerEntry,
} from "../../../../core/identity/credits/rules.ts";
import type { LedgerDoc } from "../../../../core/identity/credits/store.ts";
import { checkPath } from "../../../../core/operations/audit/path-rules.ts";
import {
  checkAccount,
  checkAnnouncement,
  checkEntry,
  checkJob,
  checkKey,
  checkTurn,
  EMPTY_RECOUNT,
} from "../../../../core/operations/audit/rules.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import type { DeliveryDoc } from "../../../../core/studio/webhooks/store.ts";
import { accountDoc, at, combinations, frozen, jobDoc, NOW, planDoc } from "../../../fixtures/docs.ts";

const STATES = ["reserved", "running", "completed", "failed", "cancelled"] as const;

/** Entries of these kinds, each on the one before. */
function entriesOf(kinds: readonly EntryIntent["kind"][], credits = 5): LedgerDoc[] {
  let head = accountDoc();
  return kinds.map((kind) => {
    const of = kind === "grant" ? { entryId: "led_grant" } : { jobId: "job_1" };
    const posted = postEntry(head, {
      kind,
      credits,
      of,
      source: "api",
      keyId: null,
      memo: kind === "grant" ? "hello" : null,
      at: NOW,
    });
    head = posted.head;
    return frozen(posted.entry);
  });
}

const kindsIn = (words: string) => words.split(" ").filter(Boolean) as EntryIntent["kind"][];

describe("the audit of an entry", () => {
  const [entry, next] = entriesOf(["grant", "reserve"]) as [LedgerDoc, LedgerDoc];
  const before = frozen({ ...EMPTY_RECOUNT, balance: 100 });
  const wrongOf = (change: Partial<LedgerDoc>, from = before) =>
    checkEntry(from, { ...entry, ...change }).wrong;

  test("passes a correct one to the recount", () => {
    const first = checkEntry(before, entry);
    expect(first).toEqual({ after: { seq: 1, hash: entry.hash, balance: 105, held: 0 }, wrong: [] });
    expect(checkEntry(first.after, next)).toEqual({
      after: { seq: 2, hash: next.hash, balance: 105, held: 5 },
      wrong: [],
    });
  });

  test("distinguishes faults of seq, link, content and sums", () => {
    const where = "ledger entry led_grant (seq 1)";
    const unfit = `${where}: hash does not fit its content`;
    expect(checkEntry({ ...before, seq: 4 }, entry).wrong).toEqual([`${where}: seq 5 was expected`]);
    expect(checkEntry({ ...before, hash: "x" }, entry).wrong).toEqual([
      `${where}: prev_hash is not the hash of the entry before`,
    ]);
    expect(wrongOf({ memo: "other" })).toEqual([unfit]);
    expect(wrongOf({ hash: "x" })).toEqual([unfit]);
    expect(wrongOf({ amount: 6 })).toEqual([unfit, `${where}: says balance 105, held 0; recounted 106, 0`]);
    expect(wrongOf({ hold: 1 })).toEqual([unfit, `${where}: says balance 105, held 0; recounted 105, 1`]);
    expect(wrongOf({}, { ...before, balance: -6 })).toContain(
      `${where}: leaves fewer than 0 credits available or held`,
    );
    expect(wrongOf({}, { ...before, held: -1 })).toContain(
      `${where}: leaves fewer than 0 credits available or held`,
    );
  });

  test("checks one without the memo of a deleted account against its seal", () => {
    const sealed = { memo: null, memo_seal: sealEntry(toLedgerEntry(entry)) };
    const unfit = ["ledger entry led_grant (seq 1): hash does not fit its content"];
    expect(wrongOf(sealed)).toEqual([]);
    expect(wrongOf({ ...sealed, memo: "hello" })).toEqual(unfit);
    expect(wrongOf({ ...sealed, source: "app" })).toEqual(unfit);
    expect(wrongOf({ memo: null })).toEqual(unfit);
  });
});

describe("the audit of a job", () => {
  /** All valid entries of one job, with their states. */
  const MOVED: [kinds: string, states: string][] = [
    ["", ""],
    ["reserve", "reserved"],
    ["reserve debit", "running completed"],
    ["reserve debit refund", "failed cancelled"],
    ["reserve release", "failed cancelled"],
  ];
  test.each(combinations({ state: STATES, moved: MOVED }))(
    "accepts $state with the entries $moved.0",
    ({ state, moved: [kinds, states] }) => {
      const wrong = checkJob(jobDoc(state), entriesOf(kindsIn(kinds)));
      const unexpected = wrong.some((line) => line.includes("has the ledger entries"));
      expect(unexpected).toBe(!states.split(" ").includes(state));
    },
  );

  test.each(combinations({ state: STATES, moved: MOVED }))(
    "accepts $state, refunded by an operator, with the entries $moved.0",
    ({ state, moved: [kinds] }) => {
      const wrong = checkJob(jobDoc(state, { refunded_at: NOW }), entriesOf(kindsIn(kinds)));
      const unexpected = wrong.some((line) => line.includes("has the ledger entries"));
      expect(unexpected).toBe(state !== "completed" || !kinds.includes("refund"));
    },
  );

  const PART = { unit: "output", asked: 4, got: 3 } as const;
  /** For 8 credits: 6 are charged and 2 are refunded. */
  const partly = (change: Parameters<typeof jobDoc>[1] = {}) =>
    jobDoc("completed", { credits: 8, delivered: PART, charged: 6, ...change });
  const entriesOfPart = (back: number) => {
    const [reserve, debit] = entriesOf(["reserve", "debit"], 8) as [LedgerDoc, LedgerDoc];
    const [, , refund] = entriesOf(["reserve", "debit", "refund"], 8) as [LedgerDoc, LedgerDoc, LedgerDoc];
    return [reserve, debit, { ...refund, amount: back }];
  };

  test("expects a partly delivered one to cost its share and refund the rest", () => {
    expect(checkJob(partly(), entriesOfPart(2))).toEqual([]);
  });

  const whole = (change: Parameters<typeof jobDoc>[1]) => jobDoc("completed", { credits: 8, ...change });
  test.each([
    ["moves other than its refund of 2 credits", partly(), entriesOfPart(3)],
    ["has the ledger entries debit,reserve", partly(), entriesOfPart(2).slice(0, 2)],
    ["was charged 7, not 6", partly({ charged: 7 }), entriesOfPart(1)],
    ["was charged 8, not 6", whole({ delivered: PART }), entriesOf(["reserve", "debit"], 8)],
    ["was charged 6, not 8", whole({ charged: 6 }), entriesOfPart(2)],
    ["was charged 9 of 8 credits", partly({ charged: 9 }), entriesOfPart(-1)],
    // An operator refunded it as well.
    ["has the ledger entries debit,refund,reserve", partly({ refunded_at: NOW }), entriesOfPart(2)],
    [
      "says what it delivered",
      jobDoc("failed", { credits: 8, delivered: PART }),
      entriesOf(["reserve", "debit", "refund"], 8),
    ],
    [
      "says it delivered 3 files, and has 1",
      partly({
        events: partly().events.map((event) =>
          event.type === "completed" ? { ...event, detail: { outputs: ["out_1"] } } : event,
        ),
      }),
      entriesOfPart(2),
    ],
  ])("finds one that %s", (words, job, entries) => {
    expect(checkJob(job, entries).join("\n")).toContain(words);
  });

  test("distinguishes faults of price, events, version, state and lease", () => {
    const sound = jobDoc("running");
    const entries = entriesOf(["reserve", "debit"]);
    const wrongOf = (change: Parameters<typeof jobDoc>[1], of = entries) =>
      checkJob(jobDoc("running", change), of).map((line) => line.replace("job job_1 (running): ", ""));
    expect(wrongOf({})).toEqual([]);
    expect(wrongOf({}, entriesOf(["reserve", "debit"], 6))).toHaveLength(2);
    expect(wrongOf({ lease: null })).toEqual([
      "holds a slot without a lease and is not suspended, so that no worker takes it over",
    ]);
    expect(checkJob(jobDoc("running", { lease: null }), entries, true)).toEqual([]);
    expect(checkJob(sound, entries, true)).toEqual([
      "job job_1 (running): is suspended though a worker has it",
    ]);
    expect(wrongOf({ version: 4 })).toEqual(["version 4 with 3 events"]);
    expect(
      wrongOf({ events: [...sound.events, { type: "completed", state: "completed", at: NOW }], version: 4 }),
    ).toEqual(["its last event says completed"]);
    expect(wrongOf({ events: sound.events.slice(1), version: 2 })).toEqual([
      "no event names its ledger entry led_1_reserve",
    ]);
    const twice = [...sound.events, { type: "debited" as const, state: "running" as const, at: NOW }];
    expect(wrongOf({ events: twice, version: 4 })).toEqual([
      "event 4 names the ledger entry led_1_debit, which is not there",
    ]);
  });
});

describe("the delivery that announces a job's end", () => {
  const delivery = (change: Partial<DeliveryDoc>): DeliveryDoc =>
    frozen({
      _id: "del_1",
      account_id: "acc_1",
      job_id: "job_1",
      event: "job.completed",
      url: "https://example.com/",
      host: "https://example.com",
      status: "pending",
      created_at: NOW,
      next_attempt_at: NOW,
      attempt_count: 0,
      attempts: [],
      lease: null,
      ...change,
    });
  const rows = combinations({
    state: STATES,
    url: [null, "https://example.com/"],
    told: [undefined, "completed", "failed", "cancelled"] as const,
  });
  test.each(rows)("of a $state job with callback_url $url: $told", ({ state, url, told }) => {
    const wrong = checkAnnouncement(
      jobDoc(state, { callback_url: url }),
      told && delivery({ event: `job.${told}` }),
    );
    const wanted = url !== null && state !== "reserved" && state !== "running" ? state : undefined;
    expect(wrong).toHaveLength(wanted === told ? 0 : 1);
  });

  test.each(combinations({ status: ["pending", "delivered", "failed"] as const, due: [null, at(1)] }))(
    "$status with $due due",
    ({ status, due }) => {
      const job = jobDoc("completed", { callback_url: "https://example.com/" });
      expect(checkAnnouncement(job, delivery({ status, next_attempt_at: due }))).toHaveLength(
        (status === "pending") === (due !== null) ? 0 : 1,
      );
      expect(checkAnnouncement(job, delivery({ account_id: "acc_2" }))).toHaveLength(1);
      expect(checkAnnouncement(job, delivery({ job_id: "job_2" }))).toHaveLength(1);
    },
  );
});

test.each(
  combinations({
    account: ["acc_1", "acc_2"],
    owner: ["acc_1", "acc_2", undefined],
    earlier: [undefined, "other"],
  }),
)(
  "an idempotency key stored for $account of a job of $owner, which $earlier names too",
  ({ account, owner, earlier }) => {
    const key = frozen({ _id: "acc_1 k", account_id: account, job_id: "job_1", request_sha256: "" });
    const wrong = [account !== "acc_1", owner !== "acc_1", earlier !== undefined].filter(Boolean);
    const told = checkKey("acc_1", key, { owner, earlier });
    expect(told).toHaveLength(wrong.length);
    for (const line of told) expect(line).toMatch(/^Idempotency-Key "k": /);
  },
);

test("a place in line is correct when the rule gives it, or a smaller plan has left it", () => {
  const rows = combinations({
    status: ["active", "suspended", "deleted"] as const,
    waiting: [0, 1],
    running: [0, 1, 2, 3],
    turn: [null, 7, 8],
  });
  for (const row of rows) {
    const account = accountDoc(row);
    const smallerPlan = row.status === "active" && row.waiting > 0 && row.running >= 2 && row.turn === 7;
    const right = row.turn === turnOf(account, planDoc()) || smallerPlan;
    expect([row, checkTurn(account, 2).length]).toEqual([row, right ? 0 : 1]);
  }
});

test("an account is checked against its ledger and jobs, number by number", () => {
  const account = accountDoc({
    balance: 9,
    held: 5,
    ledger_seq: 3,
    ledger_hash: "h",
    waiting: 1,
    running: 2,
  });
  const ledger = frozen({ balance: 9, held: 5, seq: 3, hash: "h" });
  const live = frozen({ waiting: 1, running: 2, held: 5 });
  expect(checkAccount(account, ledger, live)).toEqual([]);
  const name = (lines: string[]) => lines.map((line) => /^account: (.+) is stored as/.exec(line)?.[1]);
  for (const [field, told] of [
    ["balance", "balance"],
    ["held", "held"],
    ["seq", "ledger_seq"],
    ["hash", "ledger_hash"],
  ] as const)
    expect(name(checkAccount(account, { ...ledger, [field]: field === "hash" ? "x" : 0 }, live))).toEqual([
      told,
    ]);
  for (const [field, told] of [
    ["held", "held (against waiting jobs and holds)"],
    ["waiting", "waiting"],
    ["running", "running"],
  ] as const)
    expect(name(checkAccount(account, ledger, { ...live, [field]: 0 }))).toEqual([told]);
});

describe("the audit of a path", () => {
  type Event = JobDoc["events"][number]["type"];
  const wrongOf = (events: string, entries: string, charged?: number) =>
    checkPath(
      {
        _id: "job_1",
        state: "failed",
        events: events.split(" ").map((type) => ({ type: type as Event })),
        ...(charged !== undefined && { charged }),
      },
      // In any order, because archived entries come first.
      kindsIn(entries)
        .map((kind, i) => ({ kind, seq: i + 1 }))
        .toReversed(),
    );

  test.each<[string, string, number?]>([
    ["reserved", "reserve"],
    ["reserved released failed", "reserve release"],
    ["reserved debited running progress retrying cancelling progress completed", "reserve debit"],
    ["reserved debited running refunded cancelled", "reserve debit refund"],
    ["reserved debited running completed", "reserve debit refund", 3],
    ["reserved debited running completed refunded", "reserve debit refund"],
  ])("accepts %s", (events, entries, charged) => {
    expect(wrongOf(events, entries, charged)).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["debited running", "debit", "its event 1, debited, may not follow start"],
    ["reserved progress", "reserve", "its event 2, progress, may not follow reserved"],
    ["reserved running", "reserve", "its event 2, running, may not follow reserved"],
    [
      "reserved debited running debited",
      "reserve debit debit",
      "its event 4, debited, may not follow running",
    ],
    [
      "reserved debited running released",
      "reserve debit release",
      "its event 4, released, may not follow running",
    ],
    [
      "reserved debited running completed completed",
      "reserve debit",
      "its event 5, completed, may not follow completed",
    ],
    [
      "reserved debited running refunded failed refunded",
      "reserve debit refund",
      "its event 6, refunded, may not follow failed",
    ],
    ["reserved", "", "its events tell of the ledger entries reserve, and it has none, in this order"],
    [
      "reserved debited running",
      "debit reserve",
      "its events tell of the ledger entries reserve, debit, and it has debit, reserve, in this order",
    ],
  ])("finds %s", (events, entries, expected) => {
    expect(wrongOf(events, entries)).toEqual([`job job_1 (failed): ${expected}`]);
  });
});
