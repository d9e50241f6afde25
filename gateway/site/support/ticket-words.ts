// Kinds and states of tickets in words.
import type { TicketKind, TicketState } from "../../../proto/resources/ticket.ts";
import type { BadgeTone } from "../design/badge.ts";

export const KIND_WORDS: Readonly<Record<TicketKind, string>> = {
  order: "An order or a payment",
  licence: "A licence or its files",
  member_key: "A member key for my assistant",
  generation: "A generation",
  other: "Something else",
};

export const STATE_WORDS: Readonly<Record<TicketState, { label: string; tone: BadgeTone }>> = {
  open: { label: "waits for support", tone: "warning" },
  answered: { label: "answered", tone: "success" },
  closed: { label: "closed", tone: "neutral" },
};
