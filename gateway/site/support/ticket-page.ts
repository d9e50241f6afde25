// /support/{id}: a ticket with its messages, a member key if it has one, and forms to reply or close it.
import type { AppError } from "../../../proto/codes.ts";
import { orderNumber } from "../../../proto/resources/order.ts";
import { MAX_MESSAGE, type TicketResource } from "../../../proto/resources/ticket.ts";
import { actionForm, csrfField, shownOnce } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { textArea } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { NEW_TICKET_PATH, SUPPORT_PATH, ticketPath } from "./support-paths.ts";
import { KIND_WORDS, STATE_WORDS, ticketErrorWords } from "./ticket-words.ts";

export type TicketView = {
  person: Person;
  ticket: TicketResource;
  /** The key of the reply form; a repeated submission carries the same. */
  formKey: string;
  /** The typed values that were refused. */
  typed?: string;
  refusal?: AppError;
  /** The member key, in the only response that shows it. */
  secret?: string;
};

export function ticketPage(view: TicketView): Page {
  const { person, ticket, refusal } = view;
  const { ticket_id, subject, kind, about, state, created_at } = ticket;
  return {
    title: subject,
    person,
    path: ticketPath(ticket_id),
    styles: ["account.css", "support.css"],
    scripts: ["copy.js"],
    body: html`<div class="stack stack--loose">
      <p><a href=${SUPPORT_PATH}>All questions</a></p>
      <div class="stack">
        <h1 class="ticket__subject">${subject}</h1>
        <p class="cluster">
          ${badge(STATE_WORDS[state])}
          <span class="note">${KIND_WORDS[kind]}, since ${timeOf(created_at)}</span>
        </p>
        ${about !== null && html`<p>About ${aboutLink(about)}</p>`}
      </div>
      ${refusal && refusalNotice(refusal, ticketErrorWords(refusal))} ${keyPart(view)}
      <ol class="stack" aria-label="Messages">
        ${ticket.messages.map(message)}
      </ol>
      ${state === "closed" ? closedPart() : answerPart(view)}
    </div>`,
  };
}

function aboutLink(about: string): Markup {
  return about.startsWith("job_")
    ? html`<a href=${`/jobs/${about}`}>${about}</a>`
    : html`<a href=${`/account/orders/${about}`}>order ${orderNumber(about)}</a>`;
}

function message({ from, text, at }: TicketResource["messages"][number], i: number): Markup {
  return html`<li class=${`message message--${from}`} id=${`message-${i + 1}`}>
    <p class="note">${from === "person" ? "You" : "Support"}, ${timeOf(at)}</p>
    <p class="message__text">${text}</p>
  </li>`;
}

function keyPart({ person, ticket, secret }: TicketView): Markup | false {
  const { key, ticket_id } = ticket;
  if (secret !== undefined) {
    return shownOnce({
      title: "Your member key",
      secret,
      what: "the member key",
      body: "This is the only time it is shown, and we keep no copy. Paste it into your assistant’s settings; it works while your membership is active.",
    });
  }
  if (!key) return false;
  if (key.state !== "waiting") {
    return html`<p class="note">
      ${key.state === "seen" ? "You have seen the member key that was here." : "The member key was not opened in time, so we ended it. Write below if you need a new one."}
    </p>`;
  }
  return html`<section class="card stack" aria-labelledby="key">
    <h2 id="key">Your member key is here</h2>
    <p>
      You can see it once, until ${timeOf(key.until)}. Have your assistant’s settings open, so that you can
      paste it right away.
    </p>
    ${actionForm(person, { action: `${ticketPath(ticket_id)}/key`, label: "Show the key", kind: "primary" })}
  </section>`;
}

function answerPart({ person, ticket, formKey, typed = "", refusal }: TicketView): Markup {
  const wrong = issueAt(refusal, "text");
  const path = ticketPath(ticket.ticket_id);
  return html`<form class="stack" method="post" action=${`${path}/messages`}>
      ${csrfField(person)}
      <input type="hidden" name="form_key" value=${formKey} />
      ${textArea({
        name: "text",
        label: "Your message",
        value: typed,
        rows: 5,
        maxLength: MAX_MESSAGE,
        required: true,
        ...(wrong !== undefined && { error: wrong }),
      })}
      <p>${button({ label: "Send" })}</p>
    </form>
    ${actionForm(person, { action: `${path}/close`, label: "Mark as solved" })}`;
}

function closedPart(): Markup {
  return html`<p class="cluster">
    <span>This question is closed.</span>
    ${linkButton({ href: NEW_TICKET_PATH, label: "Ask a new question", kind: "quiet" })}
  </p>`;
}
