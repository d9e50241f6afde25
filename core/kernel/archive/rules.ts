// The contents of a segment, and how to check that it is complete. This file is pure.
import { createHash } from "node:crypto";

export const NO_SEGMENT = "0".repeat(64);

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Short enough to keep one for each row, and long enough that hardly any two rows share one. */
export function markOf(subject: string): number {
  return createHash("sha256").update(subject).digest().readUInt32BE(0);
}

/** A segment's file must match its record. */
export type SegmentInfo = {
  readonly number: number;
  readonly first: number | string;
  readonly last: number | string;
  readonly rows: number;
  readonly previous: string;
  readonly facts: { readonly sha256: string };
};

/** Says what is wrong with a segment that follows `before`, which is undefined for the first. */
export function checkFollows(before: SegmentInfo | undefined, next: SegmentInfo): string[] {
  const wrong: string[] = [];
  const number = (before?.number ?? 0) + 1;
  if (next.number !== number) wrong.push(`number ${number} was expected`);
  else if (next.previous !== (before?.facts.sha256 ?? NO_SEGMENT))
    wrong.push("does not name the hash of the segment before");
  if (before && next.first <= before.last)
    wrong.push(`begins with ${next.first}, and the segment before ends with ${before.last}`);
  return wrong;
}
