// The tree of all balances, whose nodes are a sum and a hash, and the statement of its total that the log has. Pure.
import { createHmac } from "node:crypto";
import {
  appendEntries,
  type Hashing,
  HASH_BYTES,
  inclusionPath,
  sha256,
  TILE_WIDTH,
  type Tiles,
  treeHash,
} from "./merkle-rules.ts";

const SUM_BYTES = 8;
/** Sorts the leaves. As many as no two of one tree share. */
const ORDER_DIGITS = 16;
const ENTRY_TAG = "solvency";

/** A ledger at the moment of the tree: its newest entry, and the balance after it with all that is held. */
export type Leaf = { readonly account_id: string; readonly seq: number; readonly balance: number };

export type Total = {
  readonly at: Date;
  readonly accounts: number;
  readonly total: number;
  /** The hash of the root. */
  readonly root: Uint8Array;
};

/**
 * A node is the sum below it (64 bits, big-endian) and a hash: of the byte 0, the salt, the account id, the number of the entry (64 bits) and
 * the balance (64 bits), or of the byte 1 and both children. Both sums are hashed, not only what they add up to, so that neither can be changed.
 */
export const SUMS: Hashing = {
  bytes: SUM_BYTES + HASH_BYTES,
  leaf: (node) => node,
  node: (left, right) =>
    Buffer.concat([numberOf(sumOf(left) + sumOf(right)), sha256(Uint8Array.of(1), left, right)]),
};

export function leafNode({ account_id, seq, balance }: Leaf, salt: Uint8Array): Buffer {
  const sum = numberOf(balance);
  return Buffer.concat([sum, sha256(Uint8Array.of(0), salt, account_id, numberOf(seq), sum)]);
}

/** Throws where it is below 0 or above 2^53 - 1. */
function numberOf(value: number): Buffer {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`a tree of balances cannot have the sum ${value}`);
  const bytes = Buffer.alloc(SUM_BYTES);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

export function sumOf(node: Uint8Array): number {
  return Number(Buffer.from(node).readBigUInt64BE());
}

/** Known to the owner of the account alone. */
export function saltOf(secret: Uint8Array, accountId: string): Buffer {
  return createHmac("sha256", secret).update(accountId).digest();
}

/** What leaves are sorted by, so that it does not show whose balance is next to another. */
export function orderOf(salt: Uint8Array): string {
  return Buffer.from(salt).toString("hex").slice(0, ORDER_DIGITS);
}

/** A part has up to 256 leaves. Its root is an entry of the tree over all parts. */
export function rootOfPart(nodes: readonly Uint8Array[]): Uint8Array {
  return treeHash(partTiles(nodes), 0, nodes.length, SUMS);
}

export function pathInPart(nodes: readonly Uint8Array[], at: number): Uint8Array[] {
  return inclusionPath(partTiles(nodes), at, nodes.length, SUMS);
}

function partTiles(nodes: readonly Uint8Array[]): Tiles {
  if (nodes.length > TILE_WIDTH) throw new Error(`a part of ${nodes.length} leaves is too large`);
  return appendEntries(new Map(), 0, nodes, SUMS);
}

export function statementOf(origin: string, { at, accounts, total, root }: Total): string {
  const hash = Buffer.from(root).toString("base64");
  return `atelier-solvency\n${origin}\n${at.toISOString()}\n${accounts}\n${total}\n${hash}\n`;
}

/** The log's entry for a statement: eight bytes by which every reader knows it, and the first 24 of its SHA-256. */
export function statementEntry(statement: string): Buffer {
  return Buffer.concat([Buffer.from(ENTRY_TAG), sha256(statement)]).subarray(0, HASH_BYTES);
}
