// Addresses of tickets.
import type { TicketKind } from "../../../proto/resources/ticket.ts";

export const SUPPORT_PATH = "/support";
export const NEW_TICKET_PATH = `${SUPPORT_PATH}/new`;

export function ticketPath(ticketId: string): string {
  return `${SUPPORT_PATH}/${ticketId}`;
}

/** The form, begun: what the question is about, and which order or job. */
export function askPath(kind: TicketKind, about?: string): string {
  const query = new URLSearchParams({ kind, ...(about !== undefined && { about }) });
  return `${NEW_TICKET_PATH}?${query.toString()}`;
}
