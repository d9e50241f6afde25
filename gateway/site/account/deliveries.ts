// A section of the callbacks page: deliveries of all jobs, and a form that sends a test event.
import type { AppError } from "../../../proto/codes.ts";
import { DELIVERY_STATUSES, type DeliveryResource } from "../../../proto/resources/callback.ts";
import { button, linkButton } from "../design/button.ts";
import { select, textField } from "../design/field.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Person } from "../session/current-person.ts";
import { actionForm, csrfField } from "./account-frame.ts";
import { attemptWords, DELIVERY_WORDS, deliveryBadge } from "./delivery-badge.ts";

const PATH = "/account/callbacks";

/** The test that the person has just sent, or typed. */
export type Tried = {
  readonly url: string;
  readonly delivery?: DeliveryResource;
  readonly refusal?: AppError;
};

export function testForm(person: Person, tried: Tried | undefined): Markup {
  return html`<section class="card stack" aria-labelledby="test-heading">
    <h2 id="test-heading">Try your endpoint</h2>
    ${tried && outcome(tried)}
    <form class="stack" method="post" action=${`${PATH}/test`}>
      ${csrfField(person)}
      ${textField({
        name: "callback_url",
        label: "Address",
        hint: "One signed event named test is sent to it immediately. Nothing else happens.",
        type: "url",
        value: tried?.url ?? "",
        required: true,
        maxLength: 2048,
        autocomplete: "off",
        error: issueAt(tried?.refusal, "callback_url"),
      })}
      ${button({ label: "Send a test event", kind: "quiet" })}
    </form>
  </section>`;
}

function outcome(tried: Tried): Markup | undefined {
  if (tried.refusal) return refusalNotice(tried.refusal);
  if (!tried.delivery) return undefined;
  const [attempt] = tried.delivery.attempts;
  const arrived = tried.delivery.status === "delivered";
  return notice({
    tone: arrived ? "success" : "danger",
    title: arrived ? "The endpoint accepted it" : "It was not delivered",
    body: attempt ? attemptWords(attempt) : "",
  });
}

type Log = {
  rows: readonly DeliveryResource[];
  /** Empty on the first and on the last page. */
  cursor: string;
  next: string;
  /** Empty to show all states. */
  status: string;
};

export function ownDeliveries(person: Person, { rows, cursor, next, status }: Log): Markup {
  const address = (at: string) => `${PATH}?${new URLSearchParams({ status, cursor: at }).toString()}`;
  return html`<section class="stack" aria-labelledby="deliveries-heading">
    <h2 id="deliveries-heading">Deliveries</h2>
    <form class="filters" method="get" action=${PATH}>
      ${select({
        name: "status",
        label: "State",
        value: status,
        options: [
          { value: "", label: "Any" },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: DELIVERY_WORDS[value] })),
        ],
      })}
      ${button({ label: "Show", kind: "quiet" })}
    </form>
    ${
      rows.length > 0
        ? table({
            caption: "Of the newest jobs first",
            columns: ["Event", "To", "Made", "State", "Last attempt"],
            rows: rows.map((row) => [
              eventOf(row),
              html`<code>${row.url}</code>`,
              timeOf(row.created_at),
              deliveryBadge(row.status),
              html`${lastAttempt(row)} ${row.event_id !== undefined && resendForm(person, row)}`,
            ]),
          })
        : html`<p class="note">
            ${next === "" ? "Nothing was delivered yet." : "None among those looked through."}
          </p>`
    }
    ${
      (cursor !== "" || next !== "") &&
      html`<nav class="cluster" aria-label="Pages of deliveries">
        ${cursor !== "" && linkButton({ href: address(""), label: "Newest", kind: "quiet" })}
        ${next !== "" && linkButton({ href: address(next), label: "Older", kind: "quiet" })}
      </nav>`
    }
  </section>`;
}

/** What the delivery reports, with a link to it. */
function eventOf({ event, job_id, workflow_id }: DeliveryResource): Children {
  if (workflow_id !== undefined) return html`<a href=${`/workflows/${workflow_id}`}>${event}</a>`;
  return job_id === null ? event : html`<a href=${`/jobs/${job_id}`}>${event}</a>`;
}

/** Of an event for an endpoint; the end of a job is resent on the page of the job. */
function resendForm(person: Person, { delivery_id, event, url }: DeliveryResource): Markup {
  const of = `${event} to ${url}`;
  return actionForm(person, { action: `${PATH}/resend`, label: "Resend", of, values: { delivery_id } });
}

function lastAttempt({ attempts, next_attempt_at }: DeliveryResource): Children {
  const last = attempts.at(-1);
  const made = last ? `${attempts.length}. ${attemptWords(last)}` : "none yet";
  return next_attempt_at === null ? made : html`${made}; next ${timeOf(next_attempt_at)}`;
}
