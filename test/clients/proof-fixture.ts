// The files of one owner, as a service makes them: an export with its proof, a receipt, an output, and checkpoints that agree or do not.
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { CompactSign } from "jose";
import { appendEntries, inclusionPath, treeHash } from "../../core/identity/log/merkle-rules.ts";
import { checkpointText, logEntryOf } from "../../core/identity/log/rules.ts";
import { noteOf } from "../../core/kernel/signing/notes.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { RECEIPT_TYPE } from "../../proto/resources/receipt.ts";
import { toSigningKey } from "../../runtime/keys/signing-keys.ts";

const [JOB, ISSUER, ACCOUNT, ORIGIN] = ["job_1", "https://api.example", "acc_1", "api.example/log/1"];
const OUTPUT = "made for a test";
const MOVES = [
  ["grant", 100, 0],
  ["reserve", 0, 10],
  ["debit", -10, -10],
] as const;

function ledger(): LedgerEntryResource[] {
  const entries: LedgerEntryResource[] = [];
  for (const [index, [kind, amount, hold]] of MOVES.entries()) {
    const before = entries.at(-1);
    const content = {
      entry_id: `led_${index}`,
      seq: index + 1,
      kind,
      amount,
      hold,
      balance_after: (before?.balance_after ?? 0) + amount,
      held_after: (before?.held_after ?? 0) + hold,
      job_id: kind === "grant" ? null : JOB,
      source: "api",
      key_id: null,
      memo: null,
      created_at: "2026-01-31T09:30:00.000Z",
      prev_hash: before?.hash ?? "0".repeat(64),
      version: 2 as const,
    };
    entries.push({ ...content, hash: hashLedgerEntry(content) });
  }
  return entries;
}

export async function proofFixture() {
  const key = toSigningKey(generateKeyPairSync("ed25519").privateKey);
  const entries = ledger();
  const { seq, hash } = entries[2] ?? { seq: 0, hash: "" };
  const [index, size, salt] = [3, 7, randomBytes(32)];
  const logged = Array.from({ length: size }, (_, at) =>
    at === index ? logEntryOf({ accountId: ACCOUNT, seq, hash }, salt) : randomBytes(32),
  );
  const tiles = appendEntries(new Map(), 0, logged);
  const root = treeHash(tiles, 0, size);
  const checkpoint = (origin: string, of: number, at: Uint8Array) =>
    noteOf(key, origin, checkpointText(origin, of, at));
  const note = checkpoint(ORIGIN, size, root);
  const log_proof = {
    origin: ORIGIN,
    account_id: ACCOUNT,
    seq,
    hash,
    salt: salt.toString("hex"),
    index,
    path: inclusionPath(tiles, index, size).map((one) => Buffer.from(one).toString("hex")),
    checkpoint: note,
  };
  const payload = {
    iss: ISSUER,
    job_id: JOB,
    state: "completed",
    credits: { reserved: 10, captured: 10, refunded: 0 },
    entries: entries
      .slice(1)
      .map(({ entry_id, seq: number, hash: of }) => ({ entry_id, seq: number, hash: of })),
    outputs: [{ output_id: "out_1", sha256: createHash("sha256").update(OUTPUT).digest("hex") }],
  };
  const receipt = await new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "EdDSA", typ: RECEIPT_TYPE, kid: key.kid })
    .sign(key.privateKey);
  return {
    files: {
      keys: { keys: [{ kid: key.kid, x: key.x }] },
      export: { ledger: entries.toReversed(), log_proof },
      checkpoint: note,
      receipt,
      file: OUTPUT,
    },
    fork: checkpoint(ORIGIN, size, randomBytes(32)),
    older: checkpoint(ORIGIN, 4, treeHash(tiles, 0, 4)),
    other_log: checkpoint("api.example/log/2", size, root),
  };
}
