// Addresses of tickets.
import type { TicketKind } from "../../../proto/resources/ticket.ts";

export const SUPPORT_PATH = "/support";
export const NEW_TICKET_PATH = `${SUPPORT_PATH}/new`;

export function ticketPath(ticketId: string): string {
  return `${SUPPORT_PATH}/${ticketId}`;
}

/** The form with a subject and the order or job in question filled in. */
export function askPath(kind: TicketKind, about?: string, subject?: string): string {
  const begun = { ...(about !== undefined && { about }), ...(subject !== undefined && { subject }) };
  const query = new URLSearchParams({ kind, ...begun });
  return `${NEW_TICKET_PATH}?${query.toString()}`;
}
