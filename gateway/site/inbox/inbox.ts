// /account/inbox: what is new for the person, with a form that marks it as read. Opening the page changes nothing.
import type { Modality } from "../../../proto/resources/job.ts";
import type { InboxEntry } from "../../../proto/types/atelier/v1/InboxEntry.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { actionForm } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { credits } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeAgo } from "../design/time.ts";
import { INBOX_PATH } from "../layout/page-shell.ts";
import { renderPage } from "../layout/render-page.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { price } from "../shop/order-words.ts";
import { orderPath } from "../shop/shop-paths.ts";
import { excerpt, MODALITY_WORDS } from "../studio/job-words.ts";
import { confirmPath, jobPath } from "../studio/paths.ts";
import { ticketPath } from "../support/support-paths.ts";

const ABOUT_CHARACTERS = 120;

export function inboxPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(INBOX_PATH, async (request, reply) => {
    const { entries } = await core.accounts.ListInbox({}, personCall(request));
    const { person } = request;
    return renderPage(reply, { title: "Inbox", person, path: INBOX_PATH, body: inboxBody(person, entries) });
  });

  app.post(INBOX_PATH, async (request, reply) => {
    await core.accounts.MarkInboxRead({ until: formOf(request).get("until") }, personCall(request));
    return reply.redirect(INBOX_PATH, 303);
  });
}

function inboxBody(person: Person, entries: readonly InboxEntry[]): Markup {
  const newest = entries.find(({ kind, unread }) => unread && kind !== "approval");
  return html`<div class="stack stack--loose">
    <div class="cluster cluster--apart">
      <h1>Inbox</h1>
      ${
        // No more than the person sees: what comes after the page was made stays unread.
        newest &&
        actionForm(person, { action: INBOX_PATH, label: "Mark all as read", values: { until: newest.at } })
      }
    </div>
    ${
      entries.length > 0
        ? list(entries)
        : emptyState({
            title: "Nothing new",
            body: "Requests that wait for your approval, finished jobs, answers of support and receipts of the last 30 days are listed here.",
          })
    }
  </div>`;
}

function list(entries: readonly InboxEntry[]): Markup {
  const now = new Date();
  return table({
    caption: "Requests that wait for you, then the newest first",
    columns: ["What", "About", "When"],
    repeatsLabels: false,
    rows: entries.map((entry) => [
      html`<span>${link(entry)} ${entry.unread && badge({ label: "New", tone: "accent" })}</span>`,
      excerpt(entry.about, ABOUT_CHARACTERS),
      timeAgo(entry.at, now),
    ]),
  });
}

function link(entry: InboxEntry): Markup {
  const [path, words] = leadsTo(entry);
  return html`<a href=${path}>${words}</a>`;
}

function leadsTo({ kind, id, ...entry }: InboxEntry): readonly [path: string, words: string] {
  switch (kind) {
    case "approval":
      return [confirmPath(id), `“${entry.key_name ?? ""}” asks to spend ${credits(entry.credits ?? 0)}`];
    case "completed":
    case "failed":
      return [jobPath(id), `${MODALITY_WORDS[entry.modality as Modality]} ${kind}`];
    case "answer":
      return [ticketPath(id), "Support answered"];
    case "receipt":
      return [orderPath(id), `Receipt ${entry.receipt_number ?? ""}, ${price(entry.amount_cents ?? 0)}`];
    default:
      return [orderPath(id), `Refund of ${price(entry.amount_cents ?? 0)}`];
  }
}
