// Reads tickets: one, a page of them, or all tickets of an account.
import { AppError, oneOf } from "../../../proto/codes.ts";
import { TICKET_STATES } from "../../../proto/resources/ticket.ts";
import type { App } from "../../kernel/app.ts";
import { invalidCursor, type Page, pageById, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import {
  countTickets,
  findTicket,
  findTicketHeads,
  findWholeTickets,
  type Position,
  type TicketDoc,
  type TicketHeadDoc,
} from "./store.ts";

const MAX_COUNTED = 100_000;

/** Of any account, if none is named. Throws not_found, the same for one of another account and one that never existed. */
export async function getTicket(
  app: App,
  address: { ticketId: string; accountId?: string },
): Promise<TicketDoc> {
  const ticket = await findTicket(app.mongo.db, address);
  if (!ticket) throw new AppError("not_found");
  return ticket;
}

/** The one that changed last comes first. An empty `state` means all. Throws invalid_request naming the parameter. */
export async function listTickets(
  app: App,
  { accountId, state = "" }: { accountId?: string | undefined; state?: string },
  request: PageRequest,
): Promise<Page<TicketHeadDoc>> {
  const { limit, after } = readPage(request);
  const inState = state === "" ? undefined : oneOf("state", TICKET_STATES, state);
  const wanted = { accountId, state: inState, after: readPosition(after) };
  const found = await findTicketHeads(app.mongo.db, wanted, limit + 1);
  return toPage(found, limit, ({ updated_at, _id }) => `${updated_at.toISOString()} ${_id}`);
}

/** The tickets that support answered last, of those that it answered after `since`. */
export async function listAnswered(
  app: App,
  accountId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<TicketHeadDoc[]> {
  return findTicketHeads(app.mongo.db, { accountId, state: "answered", since }, limit);
}

function readPosition(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined;
  const [time = "", id] = text.split(" ");
  const updatedAt = new Date(time);
  if (id === undefined || Number.isNaN(updatedAt.getTime())) throw invalidCursor();
  return { updatedAt, id };
}

/** All messages, oldest first. */
export function listWholeTickets(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (afterId, limit) => findWholeTickets(app.mongo.db, { accountId, afterId }, limit));
}

/** How many tickets wait for support. */
export async function measureTickets(app: Pick<App, "mongo">): Promise<number> {
  return countTickets(app.mongo.db, "open", MAX_COUNTED);
}
