// /support: the person's tickets, and a link to a new one.
import type { TicketSummaryResource } from "../../../proto/resources/ticket.ts";
import { badge } from "../design/badge.ts";
import { linkButton } from "../design/button.ts";
import { count } from "../design/format.ts";
import { timeOf } from "../design/time.ts";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { html, type Markup } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { NEW_TICKET_PATH, SUPPORT_PATH, ticketPath } from "./support-paths.ts";
import { KIND_WORDS, STATE_WORDS } from "./ticket-words.ts";

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
    columns: [
      { label: "Subject" },
      { label: "About" },
      { label: "Status" },
      { label: "Last message" },
      { label: "Messages", isNumber: true },
    ],
    rows: tickets.map(({ ticket_id, subject, kind, state, updated_at, message_count }) => [
      html`<a href=${ticketPath(ticket_id)}>${subject}</a>`,
      KIND_WORDS[kind],
      badge(STATE_WORDS[state]),
      timeOf(updated_at),
      count(message_count),
    ]),
  });
}
