// Recounts the public logs: each logged head must be in the ledger, and the heads alone must yield the stored tiles, root and checkpoint.
// It shares no code with the writer of the log.
import type { Db } from "../../base/mongo/client.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import { type BuiltDoc, findStatements } from "../../identity/log/store-solvency.ts";
import {
  findLogs,
  findTiles,
  type LogDoc,
  type LoggedHeadDoc,
  streamHeads,
  streamLog,
} from "../../identity/log/store.ts";
import type { Books } from "./audit-archive.ts";
import { sha } from "./rules.ts";

const WIDTH = 256;
const SEQ_BYTES = 8;
/** Of the SHA-256 in the entry of a statement. */
const TAGGED_BYTES = 24;

/** Compares the logged heads of an account with its ledger, entry by entry. */
export class LoggedHeadsAudit {
  readonly #heads: AsyncIterator<LoggedHeadDoc> | undefined;
  readonly #wrong: string[];
  #next: LoggedHeadDoc | undefined;
  #begun = false;

  constructor({ db, account, snapshot, has }: Books, wrong: string[]) {
    this.#wrong = wrong;
    if (has("log_heads")) this.#heads = streamHeads(db, account._id, snapshot)[Symbol.asyncIterator]();
  }

  /** Takes the next entry of the ledger. */
  async add({ seq, hash }: Pick<LedgerDoc, "seq" | "hash">): Promise<void> {
    await this.#skipTo(seq);
    for (; this.#next?.seq === seq; await this.#read())
      if (this.#next.hash !== hash)
        this.#wrong.push(`ledger entry ${seq}: has another hash than entry ${this.#next.index} of the log`);
  }

  async end(): Promise<void> {
    await this.#skipTo(Number.POSITIVE_INFINITY);
  }

  async #skipTo(seq: number): Promise<void> {
    if (!this.#begun) await this.#read();
    for (; this.#next && this.#next.seq < seq; await this.#read())
      this.#wrong.push(
        `ledger entry ${this.#next.seq}: is entry ${this.#next.index} of the log, and not in the ledger`,
      );
  }

  async #read(): Promise<void> {
    this.#begun = true;
    const { value, done = true } = (await this.#heads?.next()) ?? {};
    this.#next = done ? undefined : (value as LoggedHeadDoc);
  }
}

/** Needs no snapshot: the first entries of a log never change. */
export async function auditLogs(db: Db): Promise<string[]> {
  const wrong: string[] = [];
  for (const log of await findLogs(db)) wrong.push(...(await auditLog(db, log)));
  return wrong;
}

async function auditLog(db: Db, log: LogDoc): Promise<string[]> {
  const wrong: string[] = [];
  const name = `log ${log.origin}`;
  const peaks: { size: number; hash: Buffer }[] = [];
  const rows: Buffer[][] = [];
  const compare = async (level: number, index: number) => {
    const computed = Buffer.concat(rows[level] ?? []);
    if (computed.length === 0) return;
    const key = `${level}/${index}`;
    const stored = Buffer.from((await findTiles(db, log._id, [key])).get(key) ?? []);
    if (!stored.subarray(0, computed.length).equals(computed))
      wrong.push(`${name}: tile ${key} is not that of its entries`);
    rows[level] = [];
  };
  let count = 0;
  const keep = async (level: number, at: number, hash: Buffer) => {
    (rows[level] ??= []).push(hash);
    if ((at + 1) % WIDTH === 0) await compare(level, (at + 1) / WIDTH - 1);
  };
  let signedRoot = "";
  for await (const { index, entry } of entriesOf(db, log)) {
    if (index !== count) return [...wrong, `${name}: has entry ${index} where entry ${count} should be`];
    await keep(0, count, entry);
    count += 1;
    let peak = { size: 1, hash: sha(Buffer.of(0), entry) };
    for (let left = peaks.at(-1); left?.size === peak.size; left = peaks.at(-1)) {
      peaks.pop();
      peak = { size: peak.size * 2, hash: sha(Buffer.of(1), left.hash, peak.hash) };
      const level = Math.log2(peak.size) / 8;
      if (Number.isInteger(level)) await keep(level, count / peak.size - 1, peak.hash);
    }
    peaks.push(peak);
    if (count === log.checkpoint?.size) signedRoot = rootOf(peaks);
  }
  if (count !== log.size) wrong.push(`${name}: has ${count} entries, and its size is ${log.size}`);
  for (const [level, row] of rows.entries())
    await compare(level, Math.floor(count / WIDTH ** (level + 1)) - (row.length === 0 ? 1 : 0));
  if (log.root && rootOf(peaks) !== Buffer.from(log.root.value()).toString("base64"))
    wrong.push(`${name}: its root is not that of its ${count} entries`);
  if (
    log.checkpoint &&
    !log.checkpoint.note.startsWith(`${log.origin}\n${log.checkpoint.size}\n${signedRoot}\n`)
  )
    wrong.push(`${name}: its checkpoint is not of its first ${log.checkpoint.size} entries`);
  return wrong;
}

/** Heads and statements in the order of the log. */
async function* entriesOf(db: Db, { _id, origin, size }: LogDoc) {
  const stated = (await findStatements(db, _id, { logged: size })).reverse();
  const statementsBefore = function* (end: number) {
    for (let next = stated[0]; next?.index !== undefined && next.index < end; next = stated[0]) {
      stated.shift();
      yield { index: next.index, entry: statementEntryOf(origin, next) };
    }
  };
  for await (const head of streamLog(db, _id, size)) {
    yield* statementsBefore(head.index);
    yield { index: head.index, entry: entryOf(head) };
  }
  yield* statementsBefore(size);
}

function statementEntryOf(origin: string, { built: { at, accounts, total, root } }: BuiltDoc): Buffer {
  const hash = Buffer.from(root.value()).toString("base64");
  const lines = ["atelier-solvency", origin, at.toISOString(), accounts, total, hash, ""];
  return Buffer.concat([
    Buffer.from("solvency"),
    sha(Buffer.from(lines.join("\n"))).subarray(0, TAGGED_BYTES),
  ]);
}

function entryOf({ account_id, seq, hash, salt }: LoggedHeadDoc): Buffer {
  const number = Buffer.alloc(SEQ_BYTES);
  number.writeBigUInt64BE(BigInt(seq));
  return sha(Buffer.from(salt.value()), Buffer.from(account_id), number, Buffer.from(hash, "hex"));
}

function rootOf(peaks: readonly { readonly hash: Buffer }[]): string {
  return peaks
    .map(({ hash }) => hash)
    .reduceRight((right, left) => sha(Buffer.of(1), left, right))
    .toString("base64");
}
