// /support: the person's tickets, and a link to a new one.
import type { AppError } from "../../../proto/codes.ts";
import {
  MAX_MESSAGE,
  MAX_SUBJECT,
  TICKET_KINDS,
  type TicketKind,
  type TicketSummaryResource,
} from "../../../proto/resources/ticket.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { radioGroup, textArea, textField } from "../design/field.ts";
import { count } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { NEW_TICKET_PATH, SUPPORT_PATH, ticketPath } from "./support-paths.ts";
import { KIND_WORDS, STATE_WORDS, ticketErrorWords } from "./ticket-words.ts";

export type TicketsView = {
  person: Person;
  tickets: readonly TicketSummaryResource[];
  cursor: string;
  nextCursor: string;
};

export function ticketsPage({ person, tickets, cursor, nextCursor }: TicketsView): Page {
  return {
    title: "Support",
    person,
    path: SUPPORT_PATH,
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Support</h1>
        ${linkButton({ href: NEW_TICKET_PATH, label: "Ask support" })}
      </div>
      ${tickets.length > 0 ? list(tickets) : nothingYet(cursor)}
      ${nextCursor !== "" && html`<p>${linkButton({ href: `${SUPPORT_PATH}?cursor=${encodeURIComponent(nextCursor)}`, label: "Older questions", kind: "quiet" })}</p>`}
    </div>`,
  };
}

function nothingYet(cursor: string): Markup {
  if (cursor !== "") return html`<p>That’s all of them.</p>`;
  return emptyState({
    title: "No questions yet",
    body: "Ask a question. A person answers it here, and you get an email when they do.",
  });
}

function list(tickets: readonly TicketSummaryResource[]): Markup {
  return table({
    caption: "Your questions, latest first",
    columns: ["Subject", "About", "Status", "Last message", { label: "Messages", isNumber: true }],
    rows: tickets.map(({ ticket_id, subject, kind, state, updated_at, message_count }) => [
      html`<a href=${ticketPath(ticket_id)}>${subject}</a>`,
      KIND_WORDS[kind],
      badge(STATE_WORDS[state]),
      timeOf(updated_at),
      count(message_count),
    ]),
  });
}

/** The typed values. */
export type TicketDraft = { subject: string; kind: string; about: string; text: string; formKey: string };

const HINTS: Partial<Readonly<Record<TicketKind, string>>> = {
  order: "Mention its number below.",
  member_key: "You need an active membership. We put the key where only you can see it, once.",
  generation: "Mention the job below.",
};

export function newTicketPage(person: Person, draft: TicketDraft, refusal?: AppError): Page {
  return {
    title: "Ask support",
    person,
    path: NEW_TICKET_PATH,
    body: html`<div class="stack stack--loose">
      <h1>Ask support</h1>
      ${refusal && refusalNotice(refusal, ticketErrorWords(refusal))}
      <form class="stack" method="post" action=${SUPPORT_PATH}>
        ${csrfField(person)}
        <input type="hidden" name="form_key" value=${draft.formKey} />
        ${radioGroup({
          name: "kind",
          label: "What is it about?",
          value: draft.kind,
          error: issueAt(refusal, "kind") && "Choose what it is about.",
          options: TICKET_KINDS.map((kind) => ({
            value: kind,
            label: KIND_WORDS[kind],
            ...(HINTS[kind] !== undefined && { hint: HINTS[kind] }),
          })),
        })}
        ${textField({
          name: "about",
          label: "Order or job",
          hint: "Its number, as its page or invoice shows it.",
          value: draft.about,
          maxLength: 64,
          autocomplete: "off",
          error: issueAt(refusal, "about"),
        })}
        ${textField({
          name: "subject",
          label: "Subject",
          value: draft.subject,
          maxLength: MAX_SUBJECT,
          required: true,
          error: issueAt(refusal, "subject"),
        })}
        ${textArea({
          name: "text",
          label: "Your message",
          hint: "Please never send us a password or a key.",
          value: draft.text,
          rows: 8,
          maxLength: MAX_MESSAGE,
          required: true,
          error: issueAt(refusal, "text"),
        })}
        <p class="cluster">
          ${button({ label: "Send" })} ${linkButton({ href: SUPPORT_PATH, label: "Back", kind: "quiet" })}
        </p>
      </form>
    </div>`,
  };
}
