// The log's tree and notes as their specifications define them, without optimization: RFC 6962, c2sp.org/signed-note.
import { createHash, createPublicKey, verify } from "node:crypto";
import type { LogProofResource, SolvencyProofResource } from "../../proto/resources/log-proof.ts";

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

const hex = (text: string) => Buffer.from(text, "hex");
function numberOf(value: number): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(value));
  return number;
}

/** The root of a proof, in base64. */
export function rootOfProof(
  { salt, account_id, seq, hash, index, path }: LogProofResource,
  size: number,
): string {
  const entry = sha(hex(salt), Buffer.from(account_id), numberOf(seq), hex(hash));
  return rootOf(sha(Buffer.of(0), entry), { at: index, size, path }, (...both) =>
    sha(Buffer.of(1), ...both),
  ).toString("base64");
}

/** The root of the log that a proof of a balance leads to. Throws unless the balance is in the total of its statement. */
export function rootOfBalance(proof: SolvencyProofResource, size: number): string {
  const [, , , accounts, total, root] = proof.statement.split("\n");
  const sum = numberOf(proof.balance);
  const leaf = sha(Buffer.of(0), hex(proof.salt), Buffer.from(proof.account_id), numberOf(proof.seq), sum);
  const node = rootOf(
    Buffer.concat([sum, leaf]),
    { at: proof.index, size: Number(accounts), path: proof.path },
    (left, right) =>
      Buffer.concat([
        numberOf(Number(left.readBigUInt64BE() + right.readBigUInt64BE())),
        sha(Buffer.of(1), left, right),
      ]),
  );
  if (node.readBigUInt64BE() !== BigInt(total ?? "") || node.subarray(8).toString("base64") !== root)
    throw new Error("the balance is not in the total");
  const entry = Buffer.concat([Buffer.from("solvency"), sha(Buffer.from(proof.statement)).subarray(0, 24)]);
  const place = { at: proof.log_index, size, path: proof.log_path };
  return rootOf(sha(Buffer.of(0), entry), place, (...both) => sha(Buffer.of(1), ...both)).toString("base64");
}

/** RFC 9162, section 2.1.3.2. */
function rootOf(
  leaf: Buffer,
  { at, size, path }: { at: number; size: number; path: readonly string[] },
  join: (left: Buffer, right: Buffer) => Buffer,
): Buffer {
  let [node, last] = [leaf, size - 1];
  for (const step of path.map(hex)) {
    if (at % 2 === 1 || at === last) {
      node = join(step, node);
      for (; at % 2 === 0 && at > 0; at /= 2) last = Math.floor(last / 2);
    } else node = join(node, step);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Error("the path is too short");
  return node;
}
