// The browser's check of the proof that a ledger is in the public log, compared with the definitions of RFC 6962.
import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LedgerHead, postEntry, toLedgerEntry } from "../../core/identity/credits/rules.ts";
import { logEntryOf } from "../../core/identity/log/rules.ts";
import { noteOf } from "../../core/kernel/signing/notes.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { GENESIS_HASH } from "../../proto/resources/ledger-chain.js";
import { createLedgerCheck } from "../../proto/resources/ledger-check.js";
import { checkLogProof, isContradicted } from "../../proto/resources/log-check.js";
import { type SigningKey, toSigningKey } from "../../runtime/keys/signing-keys.ts";
import { naivePath, naiveRoot } from "../support/naive-log.ts";

const ORIGIN = "example.com/log/1";
const [key, otherKey] = [1, 2].map(() => toSigningKey(generateKeyPairSync("ed25519").privateKey)) as [
  SigningKey,
  SigningKey,
];
const hashOf = (text: string) => createHash("sha256").update(text).digest();

/** The proof of entry `index` of a log with this many entries. */
function proofOf(index: number, size: number, { signer = key, name = ORIGIN } = {}) {
  const head = (at: number) => ({
    accountId: `acc_${at}`,
    seq: at + 1,
    hash: hashOf(`entry ${at}`).toString("hex"),
  });
  const salt = (at: number) => hashOf(`salt ${at}`);
  const entries = Array.from({ length: size }, (_, at) => logEntryOf(head(at), salt(at)));
  const { accountId, seq, hash } = head(index);
  return {
    origin: ORIGIN,
    account_id: accountId,
    seq,
    hash,
    salt: salt(index).toString("hex"),
    index,
    path: naivePath(index, entries).map((one) => one.toString("hex")),
    checkpoint: noteOf(signer, name, `${name}\n${size}\n${naiveRoot(entries).toString("base64")}\n`),
  };
}
const place = fc
  .integer({ min: 1, max: 40 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1) }));

describe("the browser's check of a proof in the log", () => {
  test("returns the signed size and root for any entry of any log", async () => {
    await fc.assert(
      fc.asyncProperty(place, async ({ index, size }) => {
        const proof = proofOf(index, size);
        const [, , root = ""] = proof.checkpoint.split("\n");
        expect(await checkLogProof(proof, [otherKey, key])).toEqual({ origin: ORIGIN, size, root });
      }),
    );
  });

  const proof = proofOf(5, 11);
  const NOT_THE_ROOT = "The path does not lead to the root of the checkpoint.";
  const NOT_SIGNED = "The checkpoint has no valid signature of this service.";
  test.each([
    ["another hash", { ...proof, hash: "ab".repeat(32) }, NOT_THE_ROOT],
    ["another number", { ...proof, seq: 7 }, NOT_THE_ROOT],
    ["another account", { ...proof, account_id: "acc_6" }, NOT_THE_ROOT],
    ["another salt", { ...proof, salt: "ab".repeat(32) }, NOT_THE_ROOT],
    ["another place", { ...proof, index: 4 }, NOT_THE_ROOT],
    ["a place behind the end", { ...proof, index: 11 }, NOT_THE_ROOT],
    ["a shorter path", { ...proof, path: proof.path.slice(1) }, NOT_THE_ROOT],
    ["a longer path", { ...proof, path: [...proof.path, "ab".repeat(32)] }, NOT_THE_ROOT],
    ["the checkpoint of another key", proofOf(5, 11, { signer: otherKey }), NOT_SIGNED],
    [
      "a checkpoint without its signature",
      { ...proof, checkpoint: `${proof.checkpoint.split("\n—")[0]}\n` },
      NOT_SIGNED,
    ],
    [
      "the checkpoint of another log",
      proofOf(5, 11, { name: "example.com/log/2" }),
      "The checkpoint is of another log.",
    ],
  ])("refuses %s", async (_what, changed, words) => {
    await expect(checkLogProof(changed, [key])).rejects.toThrow(words);
  });

  test.each([
    ["a larger one", { size: 12, root: "b" }, false],
    ["itself", { size: 11, root: "a" }, false],
    ["another of its size", { size: 11, root: "b" }, true],
    ["a smaller one", { size: 10, root: "b" }, true],
    ["one of another log", { origin: "example.com/log/2", size: 10, root: "b" }, false],
  ])("says whether a checkpoint is contradicted by %s", (_what, now, expected) => {
    const before = { origin: ORIGIN, size: 11, root: "a" };
    expect(isContradicted(before, { origin: ORIGIN, ...now })).toBe(expected);
  });
});

// The browser's check of the ledger names the changed entry for any change.
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
