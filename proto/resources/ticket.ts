// Tickets as clients see them, and what a client may write.
import { z } from "zod";

export const TICKET_KINDS = ["order", "licence", "member_key", "generation", "other"] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const TICKET_STATES = ["open", "answered", "closed"] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const TICKET_WRITERS = ["person", "support"] as const;
export type TicketWriter = (typeof TICKET_WRITERS)[number];

export const MAX_SUBJECT = 120;
export const MAX_MESSAGE = 4_000;
const MAX_ABOUT = 64;
const MAX_FORM_KEY = 255;

/** Text that can be stored and shown. */
export const plainText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.isWellFormed() && !text.includes("\u0000"), {
      error: "has signs that are no text",
    });

export const plainLine = (most: number) =>
  plainText(most).refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), { error: "must be one line" });

const notEmpty = (text: z.ZodString) =>
  text.refine((typed) => typed.trim() !== "", { error: "must not be empty" });

const messageText = notEmpty(plainText(MAX_MESSAGE)).transform((text) => text.trim());
const formKey = z.string().max(MAX_FORM_KEY);

export const newTicketSchema = z.object({
  subject: notEmpty(plainLine(MAX_SUBJECT)).transform((text) => text.trim()),
  kind: z.enum(TICKET_KINDS),
  about: z.string().max(MAX_ABOUT).optional().describe("The order or job that it is about."),
  text: messageText,
  form_key: formKey.default(""),
});

export const newMessageSchema = z.object({ text: messageText, form_key: formKey.default("") });

export const ticketSummarySchema = z
  .object({
    ticket_id: z.string(),
    subject: z.string(),
    kind: z.enum(TICKET_KINDS),
    about: z.string().nullable(),
    state: z
      .enum(TICKET_STATES)
      .describe("open: support is expected to answer. answered: the user is. closed: no one is."),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    message_count: z.number().int(),
  })
  .meta({ id: "TicketSummary" });

export const ticketSchema = ticketSummarySchema
  .extend({
    messages: z.array(z.object({ from: z.enum(TICKET_WRITERS), text: z.string(), at: z.iso.datetime() })),
    key: z
      .object({
        key_id: z.string(),
        state: z.enum(["waiting", "seen", "gone"]),
        until: z.iso.datetime().describe("Until when it can be looked at."),
      })
      .nullable()
      .describe("A member key that support has put on it."),
  })
  .meta({ id: "Ticket" });

export type NewTicket = z.output<typeof newTicketSchema>;
export type TicketSummaryResource = z.output<typeof ticketSummarySchema>;
export type TicketResource = z.output<typeof ticketSchema>;
