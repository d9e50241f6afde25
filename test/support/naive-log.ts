// The log's tree and notes as their specifications define them, without optimization: RFC 6962, c2sp.org/signed-note.
import { createHash, createPublicKey, verify } from "node:crypto";
import type { LogProofResource } from "../../proto/resources/log-proof.ts";

const sha = (...parts: readonly Uint8Array[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();
const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1);

/** MTH of section 2.1. */
export function naiveRoot(entries: readonly Uint8Array[]): Buffer {
  const [first] = entries;
  if (!first) return sha();
  if (entries.length === 1) return sha(Buffer.of(0), first);
  const middle = splitOf(entries.length);
  return sha(Buffer.of(1), naiveRoot(entries.slice(0, middle)), naiveRoot(entries.slice(middle)));
}

/** PATH of section 2.1.1. */
export function naivePath(entry: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length <= 1) return [];
  const middle = splitOf(entries.length);
  const [left, right] = [entries.slice(0, middle), entries.slice(middle)];
  return entry < middle
    ? [...naivePath(entry, left), naiveRoot(right)]
    : [...naivePath(entry - middle, right), naiveRoot(left)];
}

/** PROOF of section 2.1.2: SUBPROOF, where `isWhole` is its b. */
export function naiveGrowth(old: number, entries: readonly Uint8Array[], isWhole = true): Buffer[] {
  if (old === entries.length) return isWhole ? [] : [naiveRoot(entries)];
  const middle = splitOf(entries.length);
  const [left, right] = [entries.slice(0, middle), entries.slice(middle)];
  return old <= middle
    ? [...naiveGrowth(old, left, isWhole), naiveRoot(right)]
    : [...naiveGrowth(old - middle, right, false), naiveRoot(left)];
}

type PublicKey = { readonly kid: string; readonly x: string };

/** The size and root of a checkpoint signed by one of the keys. Throws otherwise. */
export function openCheckpoint(note: string, keys: readonly PublicKey[]): { size: number; root: string } {
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const [origin = "", size, root = ""] = text.split("\n");
  const signature = Buffer.from(note.trimEnd().split(" ").at(-1) ?? "", "base64");
  const isSigned = keys.some(({ x }) => {
    const key = Buffer.from(x, "base64url");
    const id = sha(Buffer.from(`${origin}\n`), Buffer.of(1), key).subarray(0, 4);
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return (
      id.equals(signature.subarray(0, 4)) && verify(null, Buffer.from(text), publicKey, signature.subarray(4))
    );
  });
  if (!isSigned) throw new Error(`no key has signed ${note}`);
  return { size: Number(size), root };
}

/** The root of a proof, in base64 (RFC 9162, section 2.1.3.2). */
export function rootOfProof(proof: LogProofResource, size: number): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(proof.seq));
  const hex = (text: string) => Buffer.from(text, "hex");
  let hash = sha(Buffer.of(0), sha(hex(proof.salt), Buffer.from(proof.account_id), number, hex(proof.hash)));
  let [at, last] = [proof.index, size - 1];
  for (const step of proof.path.map(hex)) {
    if (at % 2 === 1 || at === last) {
      hash = sha(Buffer.of(1), step, hash);
      for (; at % 2 === 0 && at > 0; at /= 2) last = Math.floor(last / 2);
    } else hash = sha(Buffer.of(1), hash, step);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Error("the path is too short");
  return hash.toString("base64");
}
