// Original file: atelier/v1/tickets.proto

import type { TicketSummaryInput as _atelier_v1_TicketSummaryInput, TicketSummary as _atelier_v1_TicketSummary } from '../../atelier/v1/TicketSummary.ts';

export interface ListTicketsReplyInput {
  'tickets'?: (_atelier_v1_TicketSummaryInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListTicketsReply {
  'tickets': (_atelier_v1_TicketSummary)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
