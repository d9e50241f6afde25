// The access, limits and end of a key in words.
import type { ApiKeyResource, KEY_CAP_PERIODS } from "../../../proto/resources/api-key.ts";
import { badge } from "../design/badge.ts";
import { count, credits } from "../design/format.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { dateOf, timeOf } from "../design/time.ts";

export function isLive({ revoked_at, expires_at }: ApiKeyResource, now: Date): boolean {
  return revoked_at === null && (expires_at === null || new Date(expires_at) > now);
}

export function scopeBadge({ scope }: ApiKeyResource): Markup {
  return scope === "write" ? badge({ label: "read and write", tone: "accent" }) : badge({ label: "read" });
}

const PER_WORDS: Readonly<Record<(typeof KEY_CAP_PERIODS)[number], string>> = {
  day: "today",
  week: "this week",
  total: "in total",
};

/** Returns undefined if there is no limit. */
export function limitWords({
  max_credits,
  credits_this_month,
  caps = [],
}: ApiKeyResource): string | undefined {
  const month = max_credits === null ? [] : [[credits_this_month ?? 0, max_credits, "this month"] as const];
  const all = [
    ...month,
    ...caps.map((cap) => [cap.credits_used, cap.max_credits, PER_WORDS[cap.per]] as const),
  ];
  const words = all.map(([used, most, when]) => `${count(used)} of ${count(most)} credits ${when}`);
  return words.join(", ") || undefined;
}

/** Returns undefined if no job needs an approval. */
export function confirmWords({ confirm_above }: ApiKeyResource): string | undefined {
  if (confirm_above === null) return undefined;
  return confirm_above === 0 ? "asks you each time" : `asks you above ${credits(confirm_above)}`;
}

/** Returns undefined unless the threshold is raised. */
export function raisedWords({ confirm_raised: raised }: ApiKeyResource): Markup | undefined {
  return (
    raised &&
    html`Until ${timeOf(raised.until)} this key does not ask for jobs of up to ${credits(raised.above)}.`
  );
}

/** A key that is being replaced ends within hours, so the time is shown as well. */
export function whenItEnds({ expires_at, replaced_by }: ApiKeyResource): Children {
  if (expires_at === null) return "never";
  return replaced_by === null ? dateOf(expires_at) : timeOf(expires_at);
}
