// The access, limit and end of a key in words.
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import { badge } from "../design/badge.ts";
import { count, credits } from "../design/format.ts";
import { dateOf, timeOf } from "../design/time.ts";
import type { Children, Markup } from "../design/markup.js";

export function isLive({ revoked_at, expires_at }: ApiKeyResource, now: Date): boolean {
  return revoked_at === null && (expires_at === null || new Date(expires_at) > now);
}

export function scopeBadge({ scope }: ApiKeyResource): Markup {
  return scope === "write" ? badge({ label: "read and write", tone: "accent" }) : badge({ label: "read" });
}

/** Returns undefined if there is no limit. */
export function limitWords({ max_credits, credits_this_month }: ApiKeyResource): string | undefined {
  return max_credits === null
    ? undefined
    : `${count(credits_this_month ?? 0)} of ${count(max_credits)} credits this month`;
}

/** Returns undefined if no job needs an approval. */
export function confirmWords({ confirm_above }: ApiKeyResource): string | undefined {
  if (confirm_above === null) return undefined;
  return confirm_above === 0 ? "asks you each time" : `asks you above ${credits(confirm_above)}`;
}

/** A key that is being replaced ends within hours, so the time is shown as well. */
export function whenItEnds({ expires_at, replaced_by }: ApiKeyResource): Children {
  if (expires_at === null) return "never";
  return replaced_by === null ? dateOf(expires_at) : timeOf(expires_at);
}
