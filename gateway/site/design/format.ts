// How money, credits, counts and times are written, the same way on every page.

import { dollars } from "../../../runtime/money.ts";

const CENTS = 100;
const WHOLE = new Intl.NumberFormat("en-US");
const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** $49, $49.50 */
export function money(usd: number): string {
  return dollars(Math.round(usd * CENTS));
}

export function count(value: number): string {
  return WHOLE.format(value);
}

/** 1 credit, 2,400 credits */
export function credits(value: number): string {
  return counted(value, "credit");
}

/** 1 product, 12 products */
export function counted(value: number, noun: string): string {
  return `${WHOLE.format(value)} ${noun}${Math.abs(value) === 1 ? "" : "s"}`;
}

/** 12 January 2026 */
export function date(rfc3339: string): string {
  return DATE.format(new Date(rfc3339));
}

/** 12 Jan 2026, 08:05 UTC */
export function dateTime(rfc3339: string): string {
  return `${TIME.format(new Date(rfc3339))} UTC`;
}

/** A slug as a label: component-kits becomes Component kits. */
export function label(slug: string): string {
  const words = slug.replaceAll("-", " ").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const KB = 1000;

/** 980 B, 12 kB, 3.4 MB */
export function fileSize(bytes: number): string {
  if (bytes < KB) return `${bytes} B`;
  return bytes < KB * KB ? `${Math.round(bytes / KB)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}
