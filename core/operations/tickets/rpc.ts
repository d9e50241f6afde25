// The Tickets service: decode, call the verb, encode.
import { toMessage } from "../../../proto/codec.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  newMessageSchema,
  newTicketSchema,
  ticketSchema,
  ticketSummarySchema,
} from "../../../proto/resources/ticket.ts";
import type { ListTicketsReplyInput } from "../../../proto/types/atelier/v1/ListTicketsReply.ts";
import type { TicketInput } from "../../../proto/types/atelier/v1/Ticket.ts";
import type { TicketsDefinition } from "../../../proto/types/atelier/v1/Tickets.ts";
import type { TicketSummaryInput } from "../../../proto/types/atelier/v1/TicketSummary.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Page } from "../../kernel/page.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { closeTicket, writeAsPerson } from "./change-ticket.ts";
import { takeTicketKey } from "./member-key.ts";
import { openTicket } from "./open-ticket.ts";
import { getTicket, listTickets } from "./read-tickets.ts";
import { toTicket, toTicketSummary } from "./resource.ts";
import type { TicketDoc, TicketHeadDoc } from "./store.ts";

export function ticketsHandlers(app: App): Handlers<TicketsDefinition> {
  return {
    async OpenTicket(request, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const wanted = parseRequest(newTicketSchema, request);
      return ticketMessage(app, await openTicket(app, accountId, wanted));
    },
    async ListTickets(request, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return ticketPage(await listTickets(app, { accountId }, request));
    },
    async GetTicket({ ticket_id: ticketId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return ticketMessage(app, await getTicket(app, { ticketId, accountId }));
    },
    async AddMessage({ ticket_id: ticketId, ...request }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      // The ticket's owner is checked before the message.
      await getTicket(app, { ticketId, accountId });
      const { text, form_key: formKey } = parseRequest(newMessageSchema, request);
      return ticketMessage(app, await writeAsPerson(app, { ticketId, accountId }, { text, formKey }));
    },
    async CloseTicket({ ticket_id: ticketId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return ticketMessage(app, await closeTicket(app, { ticketId, accountId }));
    },
    async TakeKey({ ticket_id: ticketId }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const { secret, keyId } = await takeTicketKey(app, { ticketId, accountId });
      logSecurity(app.log, "key_seen", { ...factsOf(call), account_id: accountId, key_id: keyId });
      return { secret, key_id: keyId };
    },
  };
}

export function ticketMessage(app: App, ticket: TicketDoc): TicketInput {
  const resource = toTicket(ticket, app.clock.now());
  return toMessage(ticketSchema, resource, { account_id: ticket.account_id });
}

export function ticketPage({ rows, nextCursor }: Page<TicketHeadDoc>): ListTicketsReplyInput {
  const tickets = rows.map((row) =>
    toMessage<typeof ticketSummarySchema, TicketSummaryInput>(ticketSummarySchema, toTicketSummary(row), {
      account_id: row.account_id,
    }),
  );
  return { tickets, next_cursor: nextCursor };
}
