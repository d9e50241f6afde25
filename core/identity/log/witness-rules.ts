// What a witness is asked, and what its answer is worth: c2sp.org/tlog-witness and c2sp.org/tlog-cosignature. Pure.
import { verify } from "node:crypto";
import type { Witness } from "../../../runtime/config/log-witnesses.ts";

const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

/** A checkpoint that a witness has seen: the size and the root of the log. */
export type Seen = { readonly size: number; /** In base64. */ readonly root: string };
export type Cosignature = {
  /** By the witness's clock. */
  readonly at: Date;
  /** The line of the note, with its newline. */
  readonly line: string;
};

const LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** A cosignature of a clock that is off by more than this says nothing of when the witness saw the log. */
const MAX_SKEW_MS = 3_600_000;

function textOf(note: string): string {
  return note.slice(0, note.indexOf("\n\n") + 1);
}

export function seenIn(note: string): Seen {
  const [, size, root = ""] = note.split("\n");
  return { size: Number(size), root };
}

/** The body of add-checkpoint. */
export function askBody(old: number, proof: readonly Uint8Array[], note: string): string {
  const hashes = proof.map((hash) => Buffer.from(hash).toString("base64"));
  return [`old ${old}`, ...hashes, "", note].join("\n");
}

/** The witness's cosignature of the checkpoint in its answer; a string says why there is none. */
export function readCosignature(
  answer: string,
  note: string,
  { name, keyId, publicKey }: Witness,
  now: Date,
): Cosignature | string {
  let hasOther = false;
  for (const line of answer.split("\n")) {
    const [, signer, encoded = ""] = LINE.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (signer !== name) continue;
    hasOther = true;
    if (!bytes.subarray(0, ID_BYTES).equals(keyId)) continue;
    const isWhole = bytes.length === ID_BYTES + TIME_BYTES + SIGNATURE_BYTES;
    const seconds = isWhole ? bytes.readBigUInt64BE(ID_BYTES) : 0n;
    const signed = Buffer.from(`cosignature/v1\ntime ${seconds}\n${textOf(note)}`);
    if (!isWhole || !verify(null, signed, publicKey, bytes.subarray(ID_BYTES + TIME_BYTES)))
      return "its cosignature is not valid for this checkpoint";
    const at = new Date(Number(seconds) * 1000);
    if (!(Math.abs(at.getTime() - now.getTime()) <= MAX_SKEW_MS))
      return "the time of its cosignature is more than an hour off: its clock is wrong, or this one";
    return { at, line: `${line}\n` };
  }
  return hasOther
    ? "it signs with another key than the one in the setting"
    : "its response has no cosignature of its key";
}

/** The size that a witness names with 409; undefined where it names none. */
export function readSize(answer: string): number | undefined {
  return /^(0|[1-9]\d{0,14})\n?$/.test(answer) ? Number(answer) : undefined;
}

/** Why a witness did not cosign, by its HTTP status. */
export function refusalOf(status: number, old: number, size: number): string {
  if (status === 403 || status === 404)
    return `it does not know this log or its key (HTTP ${status}): give its operator origin and key`;
  if (status === 422)
    return `it refuses the proof that ${old} entries grew to ${size} (HTTP 422): it saw another history`;
  return `it responds with HTTP ${status}`;
}

/** A witness that fails is asked again after as long as it has been failing, within bounds. */
export function waitAfterFault(failingMs: number): number {
  return Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, failingMs));
}
