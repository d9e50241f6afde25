// /jobs/{id}: one job, from its request to its end. While it is live, browser/job.js puts this page's own #job in the place of the one it
// shows whenever an event arrives; without a script the page loads itself again.
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import type { JobResource } from "../../../proto/resources/job.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { count, credits, dateTime, label } from "../design/format.ts";
import { notice } from "../design/notice.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { deliveryLog } from "./delivery-log.ts";
import { jobMedia } from "./job-media.ts";
import {
  eventWords,
  excerpt,
  fractionDone,
  isLive,
  MODALITY_WORDS,
  SOURCE_WORDS,
  standing,
  STATE_TONES,
  STATE_WORDS,
} from "./job-words.ts";
import { againAddress, jobPath, JOBS_PATH } from "./paths.ts";
import { toText } from "./params.ts";

const REFRESH_SECONDS = 3;
const TITLE_LENGTH = 60;

export type JobView = {
  person: Person;
  job: JobResource;
  deliveries: readonly DeliveryResource[];
  now: Date;
  /** Why what the person just asked for was not done. */
  refusal?: { message: string; hint: string };
};

export function jobPage({ person, job, deliveries, now, refusal }: JobView): Page {
  const live = isLive(job);
  const path = jobPath(job.job_id);
  return {
    title: `${MODALITY_WORDS[job.modality]}: ${excerpt(job.prompt, TITLE_LENGTH)}`,
    person,
    path,
    styles: ["studio.css"],
    scripts: ["job.js"],
    ...(live && {
      head: html`<noscript><meta http-equiv="refresh" content=${String(REFRESH_SECONDS)} /></noscript>`,
    }),
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb"><a href=${JOBS_PATH}>Jobs</a></nav>
      ${refusal && notice({ tone: "danger", title: refusal.message, body: refusal.hint })}
      <div
        class="stack stack--loose"
        id="job"
        data-events=${live ? `/account/api${path}/events?after=${lastSeq(job)}` : undefined}
      >
        <div class="stack">
          <div class="cluster">
            <h1>${MODALITY_WORDS[job.modality]} by ${job.model_slug}</h1>
            ${badge({ label: STATE_WORDS[job.state], tone: STATE_TONES[job.state] })}
          </div>
          <p id="job-standing" role="status">${standing(job)}</p>
        </div>
        <div class="job">
          <div class="stack stack--loose">
            ${result(job, now)}
            <section class="stack" aria-labelledby="prompt-heading">
              <h2 id="prompt-heading">Prompt</h2>
              <p class="prompt">${job.prompt}</p>
            </section>
            ${actions(job, person)}
          </div>
          <div class="stack stack--loose">${timeline(job)} ${facts(job)}</div>
        </div>
        ${job.callback !== null && deliveryLog({ job, callback: job.callback, deliveries, person })}
      </div>
    </div>`,
  };
}

function lastSeq({ events }: JobResource): number {
  return events.at(-1)?.seq ?? 0;
}

function result(job: JobResource, now: Date): Children {
  switch (job.state) {
    case "reserved":
    case "running":
    case "cancelling": {
      const fraction = fractionDone(job);
      return html`<div class=${`canvas canvas--${job.modality}`}>
        <progress max="1" value=${fraction} aria-label="Progress"></progress>
        <p>${progressWords(job)}</p>
      </div>`;
    }
    case "completed":
      return jobMedia(job, now);
    case "failed":
      return notice({
        tone: "danger",
        title: job.error?.message ?? "The job failed.",
        body: html`${refundWords(job)} ${job.error !== null && html`<code>${job.error.code}</code>`}`,
        isNews: false,
      });
    case "cancelled":
      return notice({ tone: "info", title: "Cancelled", body: refundWords(job), isNews: false });
  }
}

function progressWords({ state, estimated_seconds }: JobResource): string {
  if (state === "reserved") return "Waiting for its turn";
  return state === "cancelling" ? "Stopping" : `Usually ${seconds(estimated_seconds)}`;
}

function refundWords(job: JobResource): string {
  const returned = job.events.find(({ type }) => type === "refunded" || type === "released");
  if (!returned) return "";
  return returned.type === "refunded"
    ? `The ${credits(job.credits_reserved)} that it had cost were given back in full.`
    : `The ${credits(job.credits_reserved)} that were held for it are available again; nothing was charged.`;
}

function actions(job: JobResource, person: Person): Markup {
  return html`<div class="cluster">
    ${
      isLive(job) &&
      html`<form method="post" action=${`${jobPath(job.job_id)}/cancel`}>
        ${csrfField(person)} ${cancelButton(job)}
      </form>`
    }
    ${linkButton({ href: againAddress(job.job_id), label: "Generate again", kind: "quiet" })}
    ${
      job.params["seed"] !== undefined &&
      linkButton({ href: againAddress(job.job_id, "same"), label: "Same seed", kind: "quiet" })
    }
  </div>`;
}

function cancelButton({ state }: JobResource): Markup {
  return state === "cancelling"
    ? button({ label: "Stopping…", kind: "danger", id: "cancel", isDisabled: true })
    : button({ label: "Cancel this job", kind: "danger", id: "cancel" });
}

function timeline({ job_id, events, created_at }: JobResource): Markup {
  const startMs = Date.parse(created_at);
  return html`<section class="stack" aria-labelledby="timeline-heading">
    <h2 id="timeline-heading">What happened</h2>
    <ol class="timeline">
      ${events.map(
        (event) =>
          html`<li class=${`timeline__event timeline__event--${event.type}`}>
            <span>
              ${
                event.ledger_entry_id === undefined
                  ? eventWords(event)
                  : html`<a href=${`/credits?job_id=${encodeURIComponent(job_id)}`}>${eventWords(event)}</a>`
              }
            </span>
            <time datetime=${event.at} title=${dateTime(event.at)}
              >${elapsed(Date.parse(event.at) - startMs)}</time
            >
          </li>`,
      )}
    </ol>
  </section>`;
}

function facts(job: JobResource): Markup {
  return html`<section class="stack" aria-labelledby="facts-heading">
    <h2 id="facts-heading">Details</h2>
    <dl class="facts">
      ${fact("Job", html`<code>${job.job_id}</code>`)} ${fact("Model", job.model_slug)}
      ${fact("Price", credits(job.credits_reserved))} ${fact("Charged", credits(job.credits_charged))}
      ${fact("Made through", SOURCE_WORDS[job.source] ?? job.source)}
      ${fact("Asked for", dateTime(job.created_at))}
      ${job.ended_at !== null && fact("Ended", dateTime(job.ended_at))}
      ${Object.entries(job.params).map(([name, value]) => fact(label(name), toText(value)))}
      ${Object.entries(job.metadata).map(([name, value]) => fact(name, value))}
    </dl>
  </section>`;
}

function fact(name: string, value: Children): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function elapsed(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${count(Math.round(ms / 1000))} s`;
}

function seconds(estimate: number): string {
  return `about ${Math.max(1, Math.round(estimate))} s`;
}
