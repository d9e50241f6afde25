// /support: a person's tickets as pages and forms. Each form carries its own key, so that pressing twice sends one message.
import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE, type ErrorCode, expectedError } from "../../../proto/codes.ts";
import { orderNumber } from "../../../proto/resources/order.ts";
import { MAX_SUBJECT, ticketSchema, ticketSummarySchema } from "../../../proto/resources/ticket.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { signInAgain } from "../session/protect.ts";
import { NEW_TICKET_PATH, SUPPORT_PATH, ticketPath } from "./support-paths.ts";
import { ticketPage, type TicketView } from "./ticket-page.ts";
import { type TicketDraft, newTicketPage, ticketsPage } from "./tickets-page.ts";

const PAGE_SIZE = 25;
const TICKET = ticketPath(":ticket_id");
/** Errors that the person can correct on the page of the form. */
const TOLD_HERE: readonly ErrorCode[] = ["invalid_request", "rate_limited", "ticket_closed"];

const params = z.object({ ticket_id: z.string().max(64) });
const text = z.string().max(64).catch("");
const beginning = z.object({ kind: text, about: text, subject: z.string().max(MAX_SUBJECT).catch("") });

export function supportPages(app: GatewayApp, options: GatewayOptions): void {
  listPages(app, options);
  newTicketForm(app, options);
  ticketForms(app, options);
  keyForm(app, options);
}

function listPages(app: GatewayApp, options: GatewayOptions): void {
  const querystring = z.object({ cursor: pageQuery.cursor });
  app.get(SUPPORT_PATH, { schema: { querystring } }, async (request, reply) => {
    // A refused form of a new ticket has this address.
    const kept = app.sessions.keptForms.take(request, reply);
    if (kept) return renderPage(reply, newTicketPage(request.person, readDraft(kept)));
    const { cursor = "" } = request.query;
    const page = await options.core.tickets.ListTickets({ limit: PAGE_SIZE, cursor }, personCall(request));
    const tickets = fromMessages(ticketSummarySchema, page.tickets);
    const { person } = request;
    return renderPage(reply, ticketsPage({ person, tickets, cursor, nextCursor: page.next_cursor }));
  });

  app.get(TICKET, { schema: { params } }, (request, reply) => {
    const kept = app.sessions.keptForms.take(request, reply);
    const more = kept && { typed: kept.get("text"), formKey: kept.get("form_key") };
    return showTicket(request, reply, options, request.params.ticket_id, more);
  });
}

function newTicketForm(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(NEW_TICKET_PATH, { schema: { querystring: beginning } }, async (request, reply) => {
    const { person, query } = request;
    const kept = app.sessions.keptForms.take(request, reply);
    if (kept) return renderPage(reply, newTicketPage(person, readDraft(kept)));
    const draft = { text: "", ...query, formKey: randomUUID() };
    return renderPage(reply, newTicketPage(person, { ...draft, kind: query.kind || "other" }));
  });

  app.post(SUPPORT_PATH, { config: { keepsForm: true } }, async (request, reply) => {
    const draft = readDraft(formOf(request));
    try {
      const { ticket_id } = await core.tickets.OpenTicket(toRequest(draft), personCall(request));
      return reply.redirect(ticketPath(ticket_id), 303);
    } catch (error) {
      const refusal = expectedError(error, TOLD_HERE);
      const page = newTicketPage(request.person, draft, refusal);
      return renderPage(reply, { ...page, status: ERROR_TABLE[refusal.code].http });
    }
  });
}

function readDraft(form: Form): TicketDraft {
  return {
    subject: form.get("subject"),
    kind: form.get("kind"),
    about: form.get("about").trim(),
    text: form.get("text"),
    formKey: form.get("form_key"),
  };
}

function toRequest({ formKey, about, text: said, ...draft }: TicketDraft) {
  return { ...draft, ...(about !== "" && { about }), text: newLines(said), form_key: formKey };
}

/** Browsers send line breaks as two characters, although one was typed. */
function newLines(typed: string): string {
  return typed.replaceAll("\r\n", "\n");
}

function ticketForms(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;

  const keeping = { schema: { params }, config: { keepsForm: true } } as const;
  app.post(`${TICKET}/messages`, keeping, async (request, reply) => {
    const { ticket_id } = request.params;
    const form = formOf(request);
    const typed = form.get("text");
    const formKey = form.get("form_key");
    try {
      const said = await core.tickets.AddMessage(
        { ticket_id, text: newLines(typed), form_key: formKey },
        personCall(request),
      );
      return reply.redirect(`${ticketPath(ticket_id)}#message-${said.message_count}`, 303);
    } catch (error) {
      return showTicket(request, reply, options, ticket_id, {
        refusal: expectedError(error, TOLD_HERE),
        typed,
        formKey,
      });
    }
  });

  app.post(`${TICKET}/close`, { schema: { params } }, async (request, reply) => {
    const { ticket_id } = request.params;
    await core.tickets.CloseTicket({ ticket_id }, personCall(request));
    return reply.redirect(ticketPath(ticket_id), 303);
  });
}

/** A stolen cookie must not be enough: the person must have signed in within a day to see the key. */
function keyForm(app: GatewayApp, options: GatewayOptions): void {
  app.post(`${TICKET}/key`, { schema: { params } }, async (request, reply) => {
    const { ticket_id } = request.params;
    const ticket = await readTicket(request, options, ticket_id);
    if (!request.person.fresh) return reply.redirect(signInAgain(ticketPath(ticket_id)), 303);
    // The form was submitted again by reloading or in another window: the page says what happened to the key.
    if (ticket.key?.state !== "waiting") return reply.redirect(ticketPath(ticket_id), 303);
    const { secret } = await options.core.tickets.TakeKey({ ticket_id }, personCall(request));
    return showTicket(request, reply, options, ticket_id, { secret });
  });
}

async function readTicket(request: FastifyRequest, { core }: GatewayOptions, ticketId: string) {
  return fromMessage(
    ticketSchema,
    await core.tickets.GetTicket({ ticket_id: ticketId }, personCall(request)),
  );
}

/** A message that was typed for a ticket that is closed by now is offered as a new one. */
async function showTicket(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GatewayOptions,
  ticketId: string,
  more: Partial<Omit<TicketView, "ticket">> = {},
): Promise<FastifyReply> {
  const ticket = await readTicket(request, options, ticketId);
  const { person } = request;
  if (ticket.state === "closed" && more.typed) {
    const { kind, subject, about } = ticket;
    const named = about === null || about.startsWith("job_") ? about : orderNumber(about);
    const draft = { kind, subject, about: named ?? "", text: more.typed, formKey: randomUUID() };
    const page = newTicketPage(person, draft, new AppError("ticket_closed"));
    return renderPage(reply, { ...page, status: ERROR_TABLE.ticket_closed.http });
  }
  const status = more.refusal ? ERROR_TABLE[more.refusal.code].http : 200;
  return renderPage(reply, { ...ticketPage({ person, ticket, formKey: randomUUID(), ...more }), status });
}
