// Changes an existing ticket: adds a message of either side, or closes it.
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { checkFits, nextState } from "./rules.ts";
import { findTicket, type MessageDoc, saveTicket, type TicketDoc } from "./store.ts";
import { type TicketUpdate, tellOfTicket } from "./tell.ts";

/** `accountId` is absent if support asks. */
export type TicketAddress = { ticketId: string; accountId?: string };

/** Adds a message of the person. If the same form is sent again, it adds nothing. Throws not_found, ticket_closed. */
export async function writeAsPerson(
  app: App,
  address: Required<TicketAddress>,
  { text, formKey }: { text: string; formKey: string },
): Promise<TicketDoc> {
  return changeTicket(app, address, (ticket, at) => {
    if (formKey !== "" && wasSent(ticket, formKey)) return undefined;
    const message = { from: "person" as const, text, at, ...(formKey !== "" && { form_key: formKey }) };
    return { ticket: withMessage(ticket, message), news: "written" };
  });
}

/** Throws not_found, ticket_closed. */
export async function writeAsSupport(app: App, ticketId: string, text: string): Promise<TicketDoc> {
  return changeTicket(app, { ticketId }, (ticket, at) => ({
    ticket: withMessage(ticket, { from: "support", text, at }),
    news: "answered",
  }));
}

/** Closing again changes nothing. Only the person is told, and only if support closes it. Throws not_found. */
export async function closeTicket(app: App, address: TicketAddress): Promise<TicketDoc> {
  return changeTicket(app, address, (ticket, at) => {
    if (ticket.state === "closed") return undefined;
    const { open_slot: _free, ...rest } = ticket;
    const closed = { ...rest, state: nextState(ticket.state, "close"), updated_at: at };
    return { ticket: closed, news: address.accountId === undefined ? "closed" : undefined };
  });
}

type Change = { ticket: TicketDoc; news: TicketUpdate | undefined };

/** `decide` returns undefined if there is nothing to change. If it throws, nothing changes. */
export async function changeTicket(
  app: App,
  address: TicketAddress,
  decide: (ticket: TicketDoc, at: Date) => Change | undefined,
): Promise<TicketDoc> {
  const { db } = app.mongo;
  return inTx(app, async (tx) => {
    const ticket = await findTicket(db, address, tx);
    if (!ticket) throw new AppError("not_found");
    const change = decide(ticket, tx.now);
    if (!change) return ticket;
    await saveTicket(db, change.ticket, tx);
    if (change.news) await tellOfTicket(app, tx, { ticket: change.ticket, news: change.news });
    return change.ticket;
  });
}

/** The form that opened the ticket counts too: a person who goes back and presses again has said it only once. */
function wasSent(ticket: TicketDoc, formKey: string): boolean {
  return ticket.form_key === formKey || ticket.messages.some(({ form_key }) => form_key === formKey);
}

export function withMessage(ticket: TicketDoc, message: MessageDoc): TicketDoc {
  const step = message.from === "person" ? "person_writes" : "support_writes";
  const state = nextState(ticket.state, step);
  checkFits(ticket.messages.length);
  return { ...ticket, state, messages: [...ticket.messages, message], updated_at: message.at };
}
