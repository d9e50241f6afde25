import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Portion } from "../../../../core/identity/credits/grant-rules.ts";
import {
  availableCredits,
  type EntryIntent,
  type LedgerHead,
  postEntry,
  toLedgerEntry,
} from "../../../../core/identity/credits/rules.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../../../proto/resources/credits.ts";
import { canonicalEntry, GENESIS_HASH } from "../../../../proto/resources/ledger-chain.js";

type GrantShare = NonNullable<LedgerEntryResource["grants"]>[number];

const AT = new Date("2026-01-01T00:00:00.000Z");

function newHead(version?: 2): LedgerHead {
  return {
    _id: "acc_1",
    balance: 0,
    held: 0,
    ledger_seq: 0,
    ledger_hash: GENESIS_HASH,
    ...(version && { ledger_version: version }),
  };
}

const intent = (kind: EntryIntent["kind"], credits: number, of: EntryIntent["of"]): EntryIntent => ({
  kind,
  credits,
  of,
  source: "api",
  keyId: null,
  memo: null,
  at: AT,
});

/** The valid orders of a job's entries. */
const STORIES = [
  ["reserve"],
  ["reserve", "debit"],
  ["reserve", "release"],
  ["reserve", "debit", "refund"],
] as const;

/** When the first grant expires, if ever, and how many entries precede version 2. */
const form = fc.record({
  expiresAt: fc.option(fc.constant(new Date("2026-02-01T00:00:00.000Z")), { nil: undefined }),
  olderEntries: fc.nat({ max: 10 }),
});

/** A ledger of grants and jobs with interleaved steps. */
const history = fc
  .record({
    grant: fc.integer({ min: 1, max: 1_000_000 }),
    form,
    jobs: fc.array(
      fc.record({ credits: fc.integer({ min: 1, max: 1000 }), story: fc.constantFrom(...STORIES) }),
      { maxLength: 20 },
    ),
    order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ grant, form: { expiresAt, olderEntries }, jobs, order }) => {
    const waiting = jobs.map(({ credits, story }, i) => ({
      jobId: `job_${i}`,
      credits,
      steps: [...story] as EntryIntent["kind"][],
    }));
    const given = intent("grant", grant, { entryId: "led_grant" });
    const intents = [expiresAt ? { ...given, expiresAt } : given];
    for (const pick of order) {
      const open = waiting.filter(({ steps }) => steps.length > 0);
      const job = open[pick % Math.max(1, open.length)];
      const kind = job?.steps.shift();
      if (job && kind) intents.push(intent(kind, job.credits, { jobId: job.jobId }));
    }
    return { intents, olderEntries };
  });

/** Posts what the account can pay, as the use cases do: a refused reserve has no job. */
function post({ intents, olderEntries }: { intents: readonly EntryIntent[]; olderEntries: number }): {
  head: LedgerHead;
  entries: LedgerEntryResource[];
} {
  let head = newHead();
  const refused = new Set<string>();
  const heldFrom = new Map<string, readonly Portion[]>();
  const entries: LedgerEntryResource[] = [];
  for (const one of intents) {
    const jobId = "jobId" in one.of ? one.of.jobId : "";
    if (one.kind === "reserve" && availableCredits(head) < one.credits) refused.add(jobId);
    if (refused.has(jobId)) continue;
    if (entries.length === olderEntries) head = { ...head, ledger_version: 2 };
    const posted = postEntry(head, { ...one, from: heldFrom.get(jobId) ?? [] });
    if (one.kind === "reserve") heldFrom.set(jobId, posted.from);
    head = posted.head;
    entries.push(toLedgerEntry(posted.entry));
  }
  return { head, entries };
}

describe("a ledger", () => {
  test("[LED-03] has no gaps, adds up, never goes below zero and verifies, after any sequence of changes", () => {
    fc.assert(
      fc.property(history, (made) => {
        const { head, entries } = post(made);
        let [balance, held] = [0, 0];
        for (const [i, entry] of entries.entries()) {
          balance += entry.amount;
          held += entry.hold;
          expect(entry).toMatchObject({ seq: i + 1, balance_after: balance, held_after: held });
          expect(balance - held).toBeGreaterThanOrEqual(0);
          expect(held).toBeGreaterThanOrEqual(0);
        }
        expect(head).toMatchObject({
          balance,
          held,
          ledger_seq: entries.length,
          ledger_hash: entries.at(-1)?.hash,
        });
        expect(findBrokenEntry(entries)).toBeUndefined();
      }),
    );
  });

  test("detects any change of any field of any entry", () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (made, which, field) => {
        const { entries } = post(made);
        const i = which % entries.length;
        const entry = { ...entries[i] } as Record<string, unknown>;
        const names = Object.keys(entry)
          .filter((one) => one !== "grants" || entry["version"] === 2)
          .sort();
        const name = names[field % names.length] ?? "";
        const value = entry[name];
        if (Array.isArray(value))
          entry[name] = value.map((one: GrantShare) => ({ ...one, grant_id: "led_x" }));
        else entry[name] = typeof value === "number" ? value + 1 : `${String(value)}x`;
        const changed = entries.with(i, entry as LedgerEntryResource);
        expect(findBrokenEntry(changed)).toBeDefined();
      }),
    );
  });

  test("detects a removed entry, and by its head one removed from the end", () => {
    fc.assert(
      fc.property(history, fc.nat(), (made, which) => {
        const { head, entries } = post(made);
        const without = entries.toSpliced(which % entries.length, 1);
        const cutAtEnd = which % entries.length === entries.length - 1;
        if (cutAtEnd) expect(without.at(-1)?.hash ?? GENESIS_HASH).not.toBe(head.ledger_hash);
        else expect(findBrokenEntry(without)).toBeDefined();
      }),
    );
  });

  test("refuses to go below zero, and does not mutate its input", () => {
    const before = Object.freeze(newHead());
    const { head } = postEntry(before, intent("grant", 5, { entryId: "led_1" }));
    expect(before).toEqual(newHead());
    Object.freeze(head);
    expect(() => postEntry(head, intent("reserve", 6, { jobId: "job_1" }))).toThrow("would leave account");
    expect(() => postEntry(head, intent("debit", 1, { jobId: "job_1" }))).toThrow("would leave account");
    expect(() => postEntry(head, intent("adjustment", -6, { entryId: "led_2" }))).toThrow(
      "would leave account",
    );
  });

  test("names entries by their job, releases and refunds alike", () => {
    const intents = [
      intent("grant", 10, { entryId: "led_g" }),
      ...(["reserve", "debit", "refund"] as const).map((kind) => intent(kind, 1, { jobId: "job_7" })),
      ...(["reserve", "release"] as const).map((kind) => intent(kind, 1, { jobId: "job_8" })),
    ];
    const { entries } = post({ intents, olderEntries: 3 });
    expect(entries.map(({ entry_id }) => entry_id)).toEqual([
      "led_g",
      "led_7_reserve",
      "led_7_debit",
      "led_7_return",
      "led_8_reserve",
      "led_8_return",
    ]);
  });

  // The hashes were computed without this code, from the documented form.
  test.each([
    [undefined, "662807dc8c35a49fd0f6a25ccdaa4878a6f9a65b86defb457f29733d9cda2574"],
    [2, "8333d2611dbd53aea216e40de53730d3d013ce469fca091ef29ecb2a765745f0"],
  ] as const)(
    "a ledger of version %s has a canonical form: sorted names, no white space, SHA-256",
    (version, hash) => {
      const expiresAt = new Date("2026-02-01T00:00:00.000Z");
      const given = { ...intent("grant", 7, { entryId: "led_1" }), expiresAt };
      const entry = toLedgerEntry(postEntry(newHead(version), given).entry);
      expect(entry).toMatchObject({ prev_hash: "0".repeat(64), hash });
      expect([entry.version, entry.expires_at]).toEqual([version, version && expiresAt.toISOString()]);
    },
  );

  test.each([
    ["the usual fields", {}],
    ["grants", { grants: [{ amount: 7, grant_id: "led_0" }] }],
    ["a field of a later release", { later: 1 }],
  ])("version 2 of the hashed form has every field in its sorted place: an entry with %s", (_what, more) => {
    const entry = {
      ...toLedgerEntry(postEntry(newHead(2), intent("grant", 7, { entryId: "led_1" })).entry),
      ...more,
    };
    const { hash: _hash, ...covered } = entry;
    const byName = Object.entries(covered).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(canonicalEntry(entry)).toBe(JSON.stringify(Object.fromEntries(byName)));
  });
});
