// Decisions about stored files: how long they live, which bytes a range means, and until when a URL works. This file is pure.

const HOUR_SECONDS = 60 * 60;
const HOUR_MS = HOUR_SECONDS * 1000;
const DAY_MS = 24 * HOUR_MS;
const URL_LIFE_SECONDS = 24 * HOUR_SECONDS;

/**
 * Expiry times of files are rounded to hours, so there are only some hundred different ones. One index of expiry times and digests then
 * finds expired files and, with a lookup for each expiry time, files with certain bytes. A separate index of digests would cost each job a
 * twentieth.
 */
export function fullHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / HOUR_MS) * HOUR_MS);
}

export function outputExpiry(savedAt: Date, days: number): Date {
  return fullHour(new Date(savedAt.getTime() + days * DAY_MS));
}

/**
 * Returns when a URL that is made now stops working, in seconds since 1970: after a day, rounded up to the hour so that all URLs made
 * within an hour are the same and can be cached, but never later than the file's own end.
 */
export function urlExpirySeconds(now: Date, fileExpiresAt: Date): number {
  const inADay = now.getTime() / 1000 + URL_LIFE_SECONDS;
  const rounded = Math.ceil(inADay / HOUR_SECONDS) * HOUR_SECONDS;
  return Math.min(rounded, Math.floor(fileExpiresAt.getTime() / 1000));
}

/** The owner of a stored file: a job, a product, an account that uploaded it, or an account's archive. */
export type FileOwner =
  | { account_id: string; job_id: string }
  | { account_id: string; upload_id: string }
  | { account_id: string; segment: string }
  | { catalog_snapshot: string }
  | { product_id: string };

/** Where an object store keeps the bytes of a file: all files of an account together, and all of a product. */
export function objectKey(owner: FileOwner, fileId: string): string {
  if ("product_id" in owner) return `products/${owner.product_id}/${fileId}`;
  if ("catalog_snapshot" in owner) return `catalog/${fileId}`;
  if ("upload_id" in owner) return `${owner.account_id}/uploads/${fileId}`;
  if ("segment" in owner) return `${owner.account_id}/archive/${fileId}`;
  return `${owner.account_id}/${owner.job_id}/${fileId}`;
}

/** Until when the bytes of a file are kept while nothing names them yet, because its upload may have been interrupted. */
export function uploadExpiry(begunAt: Date): Date {
  return fullHour(new Date(begunAt.getTime() + DAY_MS));
}

export type ByteRange = { offset: number; length: number };

/** Returns the wanted part of a file of `bytes`. A negative offset counts from the end; length 0 means to the end. */
export function clipRange(bytes: number, wanted: ByteRange): ByteRange {
  const offset = wanted.offset < 0 ? Math.max(0, bytes + wanted.offset) : Math.min(wanted.offset, bytes);
  const rest = bytes - offset;
  return { offset, length: wanted.length > 0 ? Math.min(wanted.length, rest) : rest };
}
