// Conditional reads (RFC 9110, section 13).
import { hash } from "node:crypto";

/** A strong entity tag of everything that distinguishes an answer from another. */
export function strongEtag(parts: readonly unknown[]): string {
  return `"${digestOf(parts)}"`;
}

/** The text inside such a tag. */
export function digestOf(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
}

/** Whether an If-None-Match header names `etag`, by weak comparison. */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
