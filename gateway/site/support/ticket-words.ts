// The words for kinds and states of tickets.
import type { AppError } from "../../../proto/codes.ts";
import type { TicketKind, TicketState } from "../../../proto/resources/ticket.ts";
import type { BadgeTone } from "../design/badge.ts";
import { type ErrorWords, errorWords } from "../layout/error-words.ts";

export const KIND_WORDS: Readonly<Record<TicketKind, string>> = {
  order: "An order or a payment",
  licence: "A licence or its files",
  member_key: "A member key for my assistant",
  generation: "Something I made",
  other: "Something else",
};

export const STATE_WORDS: Readonly<Record<TicketState, { label: string; tone: BadgeTone }>> = {
  open: { label: "waiting for us", tone: "warning" },
  answered: { label: "answered", tone: "success" },
  closed: { label: "closed", tone: "neutral" },
};

/** A refusal because of a rate limit says when to return; otherwise too many tickets are open. */
export function ticketErrorWords(refusal: AppError): ErrorWords {
  if (refusal.code === "ticket_closed")
    return {
      title: "That question is closed",
      what: "Your message was not sent.",
      next: "It is below: send it as a new question.",
    };
  if (refusal.code !== "rate_limited" || refusal.retryAfterSeconds !== undefined) return errorWords(refusal);
  return {
    title: "You have many open questions",
    what: "As many are open as you can have at a time.",
    next: "Write on one of them, or mark one as solved.",
  };
}
