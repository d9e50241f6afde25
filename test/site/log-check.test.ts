// The browser's check of the proof that a ledger is in the public log, compared with the definitions of RFC 6962.
import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { logEntryOf } from "../../core/identity/log/rules.ts";
import { noteOf } from "../../core/kernel/signing/notes.ts";
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
