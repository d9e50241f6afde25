// The state of a delivery as a coloured word, and its attempts in words.
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import { badge, type BadgeTone } from "../design/badge.ts";
import type { Markup } from "../design/markup.js";

type Status = DeliveryResource["status"];

const TONES: Readonly<Record<Status, BadgeTone>> = {
  pending: "neutral",
  delivered: "success",
  failed: "danger",
};
export const DELIVERY_WORDS: Readonly<Record<Status, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
};

/** For example Status 503 in 12 ms. */
export function attemptWords({
  http_status,
  error,
  duration_ms,
}: DeliveryResource["attempts"][number]): string {
  return `${http_status === null ? (error ?? "No answer") : `Status ${http_status}`} in ${duration_ms} ms`;
}

export function deliveryBadge(status: Status): Markup {
  return badge({ label: DELIVERY_WORDS[status], tone: TONES[status] });
}
