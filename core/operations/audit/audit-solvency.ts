// Recounts the daily trees of all balances: each leaf must be of its ledger, each older account must have one, and the leaves alone must
// yield the stored root and total. It shares no code with the builder.
import { createHmac } from "node:crypto";
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import {
  type BuiltDoc,
  findStatements,
  findWindow,
  firstOfWindow,
  type SolvencyPartDoc,
  streamParts,
} from "../../identity/log/store-solvency.ts";
import { findLogs } from "../../identity/log/store.ts";
import { sha } from "./rules.ts";

/** An entry of this time or later may have been invisible to the tree: a transaction of MongoDB ends within a minute. */
const LATE_MS = 120_000;
const NUMBER_BYTES = 8;

type Leaf = SolvencyPartDoc["leaves"][number];

/** Gives the leaf of one account after the other, in the order of their ids. */
export type NewestLeaves = {
  readonly at: Date;
  of(accountId: string): Promise<Leaf | undefined>;
};

/** Of the newest tree; undefined where there is none. */
export async function openNewestLeaves(db: Db, snapshot: SnapshotContext): Promise<NewestLeaves | undefined> {
  const log = (await findLogs(db, snapshot)).at(-1);
  const [statement] = log ? await findStatements(db, log._id, { limit: 1, ...snapshot }) : [];
  if (!statement) return undefined;
  const { tree, at } = statement.built;
  let leaves = new Map<string, Leaf>();
  let window = "";
  return {
    at,
    of: async (accountId) => {
      const known = leaves.get(accountId);
      if (known) return known;
      // The newest accounts, which are in no window, all follow the last one: it is read once.
      const first = await firstOfWindow(db, { tree, accountId }, snapshot);
      if (first !== window) {
        window = first;
        const parts = await findWindow(db, { tree, first }, snapshot);
        leaves = new Map(parts.flatMap((part) => part.leaves.map((leaf) => [leaf.account_id, leaf])));
      }
      return leaves.get(accountId);
    },
  };
}

/** Compares the leaf of an account with its ledger, entry by entry. */
export class LeafAudit {
  readonly #leaf: Leaf | undefined;
  readonly #madeBefore: number;
  readonly #account: AccountDoc;
  readonly #wrong: string[];

  private constructor(account: AccountDoc, of: { leaf: Leaf | undefined; at: Date }, wrong: string[]) {
    this.#account = account;
    this.#leaf = of.leaf;
    this.#madeBefore = of.at.getTime() - LATE_MS;
    this.#wrong = wrong;
  }

  static async open(
    { account, leaves }: { readonly account: AccountDoc; readonly leaves: NewestLeaves | undefined },
    wrong: string[],
  ): Promise<LeafAudit | undefined> {
    return leaves && new LeafAudit(account, { leaf: await leaves.of(account._id), at: leaves.at }, wrong);
  }

  /** Takes the next entry of the ledger. */
  add({ seq, balance_after, created_at }: Pick<LedgerDoc, "seq" | "balance_after" | "created_at">): void {
    const leaf = this.#leaf;
    if (seq === leaf?.seq && balance_after !== leaf.balance)
      this.#wrong.push(
        `tree of balances: has ${leaf.balance} credits for entry ${seq}, and not ${balance_after}`,
      );
    if (leaf && seq === leaf.seq + 1 && created_at.getTime() < this.#madeBefore)
      this.#wrong.push(`tree of balances: has the balance before entry ${seq}, which is older than the tree`);
  }

  end(): void {
    const { ledger_seq, created_at } = this.#account;
    const leaf = this.#leaf;
    if (!leaf && created_at.getTime() < this.#madeBefore)
      this.#wrong.push("tree of balances: does not have this account, which is older");
    if (leaf && (leaf.seq > ledger_seq || (leaf.seq === 0 && leaf.balance !== 0)))
      this.#wrong.push(
        `tree of balances: has ${leaf.balance} credits for entry ${leaf.seq}, which is not there`,
      );
  }
}

/** The parts of the newest tree of each log, which are kept. */
export async function auditSolvency(db: Db): Promise<string[]> {
  const wrong: string[] = [];
  for (const { _id } of await findLogs(db)) {
    const [newest] = await findStatements(db, _id, { limit: 1 });
    if (newest) wrong.push(...(await auditTree(db, newest)));
  }
  return wrong;
}

async function auditTree(db: Db, { _id, built }: BuiltDoc): Promise<string[]> {
  const name = `tree of balances ${_id}`;
  const peaks: { size: number; sum: bigint; hash: Buffer }[] = [];
  let [count, window, max] = [0, "", ""];
  const seen = new Set<string>();
  const wrong: string[] = [];
  for await (const { _id: id, leaves } of streamParts(db, built.tree)) {
    const first = id.slice(built.tree.length).split("/")[1] ?? "";
    // Windows follow each other by their accounts.
    if (first !== window && first <= max) wrong.push(`${name}: has accounts from ${first} on twice`);
    if (first !== window) seen.clear();
    window = first;
    for (const { account_id, seq, balance } of leaves) {
      if (seen.has(account_id) || account_id < window)
        wrong.push(`${name}: has the account ${account_id} twice`);
      seen.add(account_id);
      if (account_id > max) max = account_id;
      count += 1;
      const salt = createHmac("sha256", built.secret.value()).update(account_id).digest();
      const parts = [
        Buffer.of(0),
        salt,
        Buffer.from(account_id),
        numberOf(BigInt(seq)),
        numberOf(BigInt(balance)),
      ];
      let peak = { size: 1, sum: BigInt(balance), hash: sha(...parts) };
      for (let left = peaks.at(-1); left?.size === peak.size; left = peaks.at(-1)) {
        peaks.pop();
        peak = join(left, peak);
      }
      peaks.push(peak);
    }
  }
  if (count !== built.accounts) wrong.push(`${name}: has ${count} accounts, and states ${built.accounts}`);
  const top = peaks.length > 0 ? peaks.reduceRight((right, left) => join(left, right)) : undefined;
  if (top && top.sum !== BigInt(built.total))
    wrong.push(`${name}: adds up to ${top.sum} credits, and states ${built.total}`);
  if (!top?.hash.equals(Buffer.from(built.root.value())))
    wrong.push(`${name}: its root is not that of its ${count} accounts`);
  return wrong;
}

type Node = { readonly size: number; readonly sum: bigint; readonly hash: Buffer };

function join(left: Node, right: Node): Node {
  const children = [left, right].flatMap(({ sum, hash }) => [numberOf(sum), hash]);
  return { size: left.size + right.size, sum: left.sum + right.sum, hash: sha(Buffer.of(1), ...children) };
}

function numberOf(value: bigint): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigInt64BE(value);
  return bytes;
}
