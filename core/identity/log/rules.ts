// The log's entry for an account, and the text of its checkpoints. Pure.
import type { ChangedHead } from "../accounts/list-ids.ts";
import { HASH_BYTES, sha256 } from "./merkle-rules.ts";

const SEQ_BYTES = 8;

/**
 * SHA-256 of the salt, the account id, the number of the entry (64 bits, big-endian) and the hash of the entry. Reveals nothing without the
 * salt.
 */
export function logEntryOf({ accountId, seq, hash }: ChangedHead, salt: Uint8Array): Buffer {
  const number = Buffer.alloc(SEQ_BYTES);
  number.writeBigUInt64BE(BigInt(seq));
  return sha256(salt, accountId, number, Buffer.from(hash, "hex"));
}

/** The text of a checkpoint (c2sp.org/tlog-checkpoint), which is then signed. */
export function checkpointText(origin: string, size: number, root: Uint8Array): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
}

/** A bundle of entries as published: each after its length in 16 bits. */
export function toBundle(entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat(entries.flatMap((entry) => [Uint8Array.of(0, HASH_BYTES), entry]));
}
