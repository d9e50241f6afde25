import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  availableCredits,
  type EntryIntent,
  type LedgerHead,
  postEntry,
  toLedgerEntry,
} from "../../../../core/identity/credits/rules.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../../../proto/resources/credits.ts";
import { GENESIS_HASH } from "../../../../proto/resources/ledger-chain.js";

const AT = new Date("2026-01-01T00:00:00.000Z");

function newHead(): LedgerHead {
  return { _id: "acc_1", balance: 0, held: 0, ledger_seq: 0, ledger_hash: GENESIS_HASH };
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

/** The order in which a job's entries may come. */
const STORIES = [
  ["reserve"],
  ["reserve", "debit"],
  ["reserve", "release"],
  ["reserve", "debit", "refund"],
] as const;

/** A ledger of grants and jobs whose steps are shuffled into each other. */
const history = fc
  .record({
    grant: fc.integer({ min: 1, max: 1_000_000 }),
    jobs: fc.array(
      fc.record({ credits: fc.integer({ min: 1, max: 1000 }), story: fc.constantFrom(...STORIES) }),
      { maxLength: 20 },
    ),
    order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ grant, jobs, order }) => {
    const waiting = jobs.map(({ credits, story }, i) => ({
      jobId: `job_${i}`,
      credits,
      steps: [...story] as EntryIntent["kind"][],
    }));
    const intents = [intent("grant", grant, { entryId: "led_grant" })];
    for (const pick of order) {
      const open = waiting.filter(({ steps }) => steps.length > 0);
      const job = open[pick % Math.max(1, open.length)];
      const kind = job?.steps.shift();
      if (job && kind) intents.push(intent(kind, job.credits, { jobId: job.jobId }));
    }
    return intents;
  });

/** Posts what the account can bear, as the use cases do: a reserve that is too dear is refused, and its job never happens. */
function post(intents: readonly EntryIntent[]): { head: LedgerHead; entries: LedgerEntryResource[] } {
  let head = newHead();
  const refused = new Set<string>();
  const entries: LedgerEntryResource[] = [];
  for (const one of intents) {
    const jobId = "jobId" in one.of ? one.of.jobId : "";
    if (one.kind === "reserve" && availableCredits(head) < one.credits) refused.add(jobId);
    if (refused.has(jobId)) continue;
    const posted = postEntry(head, one);
    head = posted.head;
    entries.push(toLedgerEntry(posted.entry));
  }
  return { head, entries };
}

describe("a ledger", () => {
  test("has no gaps, adds up, never goes below zero and verifies, whatever happens in whatever order", () => {
    fc.assert(
      fc.property(history, (intents) => {
        const { head, entries } = post(intents);
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

  test("shows any change of any field of any entry", () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (intents, which, field) => {
        const { entries } = post(intents);
        const i = which % entries.length;
        const entry = { ...entries[i] } as Record<string, unknown>;
        const names = Object.keys(entry).sort();
        const name = names[field % names.length] ?? "";
        entry[name] = typeof entry[name] === "number" ? entry[name] + 1 : `${String(entry[name])}x`;
        const changed = entries.with(i, entry as LedgerEntryResource);
        expect(findBrokenEntry(changed)).toBeDefined();
      }),
    );
  });

  test("shows a removed entry, and the head shows one that was cut off the end", () => {
    fc.assert(
      fc.property(history, fc.nat(), (intents, which) => {
        const { head, entries } = post(intents);
        const without = entries.toSpliced(which % entries.length, 1);
        const cutAtEnd = which % entries.length === entries.length - 1;
        if (cutAtEnd) expect(without.at(-1)?.hash ?? GENESIS_HASH).not.toBe(head.ledger_hash);
        else expect(findBrokenEntry(without)).toBeDefined();
      }),
    );
  });

  test("refuses to go below zero, and never changes what it is given", () => {
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

  test("names the entries of a job after it, release and refund alike", () => {
    const { entries } = post([
      intent("grant", 10, { entryId: "led_g" }),
      ...(["reserve", "debit", "refund"] as const).map((kind) => intent(kind, 1, { jobId: "job_7" })),
      ...(["reserve", "release"] as const).map((kind) => intent(kind, 1, { jobId: "job_8" })),
    ]);
    expect(entries.map(({ entry_id }) => entry_id)).toEqual([
      "led_g",
      "led_7_reserve",
      "led_7_debit",
      "led_7_return",
      "led_8_reserve",
      "led_8_return",
    ]);
  });

  test("has a canonical form that anybody can compute: names sorted, no white space, SHA-256", () => {
    const entry = toLedgerEntry(postEntry(newHead(), intent("grant", 7, { entryId: "led_1" })).entry);
    expect(entry.prev_hash).toBe("0".repeat(64));
    // Computed apart from this code, from the documented form.
    expect(entry.hash).toBe("662807dc8c35a49fd0f6a25ccdaa4878a6f9a65b86defb457f29733d9cda2574");
  });
});
