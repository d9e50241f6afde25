// Tickets as clients see them.
import type { TicketResource, TicketSummaryResource } from "../../../proto/resources/ticket.ts";
import type { TicketDoc, TicketHeadDoc, TicketKeyDoc } from "./store.ts";

export function toTicketSummary(ticket: TicketHeadDoc): TicketSummaryResource {
  const { _id, subject, kind, about, state, created_at, updated_at, message_count } = ticket;
  return {
    ticket_id: _id,
    subject,
    kind,
    about,
    state,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    message_count,
  };
}

export function toTicket(ticket: TicketDoc, now: Date): TicketResource {
  const { messages, key } = ticket;
  return {
    ...toTicketSummary({ ...ticket, message_count: messages.length }),
    messages: messages.map(({ from, text, at }) => ({ from, text, at: at.toISOString() })),
    key: key ? { key_id: key.key_id, state: keyState(key, now), until: key.until.toISOString() } : null,
  };
}

function keyState({ sealed, until, seen_at }: TicketKeyDoc, now: Date): "waiting" | "seen" | "gone" {
  if (seen_at) return "seen";
  return sealed !== undefined && until > now ? "waiting" : "gone";
}
