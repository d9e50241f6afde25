// What happens to a ticket when someone writes or closes it, and whether it may have a member key. This file is pure.
import { AppError } from "../../../proto/codes.ts";
import type { TicketKind, TicketState } from "../../../proto/resources/ticket.ts";

/** What happens to a ticket: either side writes, either side closes it. */
export const TICKET_STEPS = ["person_writes", "support_writes", "close"] as const;
export type TicketStep = (typeof TICKET_STEPS)[number];

/** Tickets of an account that are not closed. */
export const MAX_OPEN = 10;
/** The most messages of one ticket. A longer conversation continues in another, which is easier to read. */
const MAX_MESSAGES = 200;

const DAY_MS = 24 * 60 * 60 * 1000;
const KEY_DAYS = 7;

/** Throws ticket_closed. */
export function nextState(state: TicketState, step: TicketStep): TicketState {
  if (step === "close") return "closed";
  if (state === "closed") throw new AppError("ticket_closed");
  return step === "person_writes" ? "open" : "answered";
}

/** Throws ticket_closed. */
export function checkFits(messages: number): void {
  if (messages < MAX_MESSAGES) return;
  throw new AppError("ticket_closed", {
    message: `The ticket has ${MAX_MESSAGES} messages and takes no more.`,
  });
}

/** The lowest number that no open ticket of the account has. Throws rate_limited. */
export function freeSlot(taken: readonly number[]): number {
  for (let slot = 1; slot <= MAX_OPEN; slot++) if (!taken.includes(slot)) return slot;
  throw new AppError("rate_limited", {
    message: `The account has ${MAX_OPEN} tickets that are not closed, which is as many as it may have.`,
    hint: "Write on one of them, or close one that is done.",
  });
}

/** Until when a key that is put on a ticket now can be looked at. */
export function keyUntil(now: Date): Date {
  return new Date(now.getTime() + KEY_DAYS * DAY_MS);
}

type KeyInfo = {
  ticket: { kind: TicketKind; state: TicketState; hasWaitingKey: boolean };
  /** Whether the membership includes the member tools now. */
  memberTools: boolean;
};

/** Throws invalid_request, ticket_closed, membership_required. */
export function checkKeyWanted({ ticket, memberTools }: KeyInfo): void {
  if (ticket.kind !== "member_key")
    throw refused("is about something else: only one that asks for a member key gets one");
  if (ticket.state === "closed") throw new AppError("ticket_closed");
  if (ticket.hasWaitingKey) throw refused("has a key already that its owner has not opened yet");
  if (!memberTools) {
    throw new AppError("membership_required", {
      message: "The account has no active membership that includes the member tools.",
      hint: "Begin or renew the membership first, or tell the user in the ticket what is missing.",
    });
  }
}

function refused(message: string): AppError {
  return new AppError("invalid_request", {
    message: `The ticket ${message}.`,
    issues: [{ path: "ticket_id", message }],
  });
}
