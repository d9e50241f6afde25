// The part of the Admin service for support staff, who answer tickets.
import { parseRequest } from "../../../proto/resources/issues.ts";
import { newMessageSchema } from "../../../proto/resources/ticket.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import { decodeTime } from "../../identity/accounts/rpc.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { closeTicket, writeAsSupport } from "../tickets/change-ticket.ts";
import { provisionTicketKey } from "../tickets/member-key.ts";
import { getTicket, listTickets } from "../tickets/read-tickets.ts";
import { ticketMessage, ticketPage } from "../tickets/rpc.ts";

export function ticketHandlers(app: App) {
  return {
    ListAllTickets: async ({ account, state, ...page }) => {
      const accountId = account === "" ? undefined : (await getAnyAccount(app, account))._id;
      return ticketPage(await listTickets(app, { accountId, state }, page));
    },

    GetAnyTicket: async ({ ticket_id: ticketId }) => ticketMessage(app, await getTicket(app, { ticketId })),

    ReplyToTicket: ({ ticket_id: ticketId, text }, call) =>
      recordWrite(app, call, { target: ticketId }, async () => {
        const message = parseRequest(newMessageSchema, { text });
        return ticketMessage(app, await writeAsSupport(app, ticketId, message.text));
      }),

    CloseAnyTicket: ({ ticket_id: ticketId }, call) =>
      recordWrite(app, call, { target: ticketId }, async () =>
        ticketMessage(app, await closeTicket(app, { ticketId })),
      ),

    ProvisionTicketKey: ({ ticket_id: ticketId, name, expires_at }, call) =>
      recordWrite(
        app,
        call,
        {
          target: ticketId,
          detail: name,
          tell: ({ account_id, key }) => [
            "key_made",
            { account_id: account_id ?? "", key_id: key?.key_id ?? "" },
          ],
        },
        async () => {
          const expiresAt = expires_at ? decodeTime(expires_at) : null;
          return ticketMessage(app, await provisionTicketKey(app, ticketId, { name, expiresAt }));
        },
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}
