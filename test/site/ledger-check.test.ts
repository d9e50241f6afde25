// The browser's check of the ledger names the changed entry for any change.
import { describe, expect, test } from "vitest";
import { type LedgerHead, postEntry, toLedgerEntry } from "../../core/identity/credits/rules.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { GENESIS_HASH } from "../../proto/resources/ledger-chain.js";
import { createLedgerCheck } from "../../proto/resources/ledger-check.js";

let account: LedgerHead = { _id: "acc_1", balance: 0, held: 0, ledger_seq: 0, ledger_hash: GENESIS_HASH };
const post = (
  kind: LedgerEntryResource["kind"],
  credits: number,
  of: { jobId: string } | { entryId: string },
) => {
  const { head, entry } = postEntry(account, {
    kind,
    credits,
    of,
    source: "app",
    keyId: null,
    memo: "é 🌊",
    at: new Date("2026-03-01T10:00:00Z"),
  });
  account = head;
  return toLedgerEntry(entry);
};
const LEDGER = [
  post("grant", 100, { entryId: "led_1" }),
  post("reserve", 10, { jobId: "job_1" }),
  post("debit", 10, { jobId: "job_1" }),
  post("refund", 10, { jobId: "job_1" }),
  post("reserve", 7, { jobId: "job_2" }),
];
const { balance, held, ledger_seq, ledger_hash } = account;

async function check(entries: readonly LedgerEntryResource[], head = {}) {
  const all = createLedgerCheck({ balance, held, ledger_seq, ledger_hash, ...head });
  for (const entry of entries.toReversed()) await all.add(entry);
  return all.finish();
}

const changed = (seq: number, change: Partial<LedgerEntryResource>) =>
  LEDGER.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry));
const rehashed = (seq: number, change: Partial<LedgerEntryResource>) =>
  changed(seq, change).map((entry) =>
    entry.seq === seq ? { ...entry, hash: hashLedgerEntry(entry) } : entry,
  );

describe("the browser's check of a ledger", () => {
  test("passes a complete one, also when entries were added after its start", async () => {
    expect(await check(LEDGER)).toBeUndefined();
    const later = { ...LEDGER[0], seq: 6 } as LedgerEntryResource;
    expect(await check([...LEDGER, later])).toBeUndefined();
  });

  describe.each([1, 2, 3, 4, 5])("the browser's check of a ledger with a fault at entry %i", (seq) => {
    test.each([
      { amount: 99 },
      { hold: 99 },
      { balance_after: 99 },
      { held_after: 99 },
      { memo: "other" },
      { kind: "purchase" },
      { created_at: "2026-03-01T10:00:00.001Z" },
      { prev_hash: "f".repeat(64) },
      { hash: "f".repeat(64) },
    ] as const)("names the entry changed to %o", async (change) => {
      expect(await check(changed(seq, change))).toMatchObject({ seq });
    });

    test("names an entry replaced by another with a valid hash", async () => {
      expect(await check(rehashed(seq, { memo: "other" }))).toMatchObject({ seq });
    });

    test("reports a removed entry as missing", async () => {
      expect(await check(LEDGER.filter((entry) => entry.seq !== seq))).toEqual({
        seq,
        why: "It is missing.",
      });
    });
  });

  test("fails when the sum differs from the account's", async () => {
    expect(await check(LEDGER, { balance: balance + 1 })).toMatchObject({ seq: 5 });
    expect(await check(LEDGER, { held: held + 1 })).toMatchObject({ seq: 5 });
    expect(await check(LEDGER, { ledger_hash: "f".repeat(64) })).toMatchObject({ seq: 5 });
  });

  test("fails without entries, unless the ledger is empty", async () => {
    expect(await check([])).toMatchObject({ seq: 5 });
    expect(
      await check([], { balance: 0, held: 0, ledger_seq: 0, ledger_hash: GENESIS_HASH }),
    ).toBeUndefined();
  });
});
