// Formats of money, credits, counts and times, the same on every page.

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

/** For example $49 or $49.50. */
export function money(usd: number): string {
  return dollars(Math.round(usd * CENTS));
}

export function count(value: number): string {
  return WHOLE.format(value);
}

/** For example 1 credit or 2,400 credits. */
export function credits(value: number): string {
  return counted(value, "credit");
}

/** For example 1 product or 12 products. */
export function counted(value: number, noun: string): string {
  return `${WHOLE.format(value)} ${noun}${Math.abs(value) === 1 ? "" : "s"}`;
}

/** For example 12 January 2026. */
export function date(rfc3339: string): string {
  return DATE.format(new Date(rfc3339));
}

/** For example 12 Jan 2026, 08:05 UTC. */
export function dateTime(rfc3339: string): string {
  return `${TIME.format(new Date(rfc3339))} UTC`;
}

/** A slug as a label, for example Component kits for component-kits. */
export function label(slug: string): string {
  return capitalised(slug.replaceAll("-", " ").replaceAll("_", " "));
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const KB = 1000;

/** For example 980 B, 12 kB or 3.4 MB. */
export function fileSize(bytes: number): string {
  if (bytes < KB) return `${bytes} B`;
  return bytes < KB * KB ? `${Math.round(bytes / KB)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}
