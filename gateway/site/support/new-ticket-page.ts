// /support/new: the form that opens a ticket.
import type { AppError } from "../../../proto/codes.ts";
import { MAX_MESSAGE, MAX_SUBJECT, TICKET_KINDS, type TicketKind } from "../../../proto/resources/ticket.ts";
import { csrfField } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { radioGroup, textArea, textField } from "../design/field.ts";
import { html } from "../design/markup.js";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { NEW_TICKET_PATH, SUPPORT_PATH } from "./support-paths.ts";
import { KIND_WORDS, ticketErrorWords } from "./ticket-words.ts";

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
