// /jobs/{id}: one job from request to end. While it is live, browser/job.js replaces #job with the newest version at each event; without
// scripts the page reloads itself.
import type { AppError } from "../../../proto/codes.ts";
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import type { JobEventResource, JobResource } from "../../../proto/resources/job.ts";
import { confirmedAction, csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { count, counted, credits } from "../design/format.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { fact } from "../design/table.ts";
import { timeAgo, timeAs, timeOf } from "../design/time.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { deliveryLog } from "./delivery-log.ts";
import { isThere, jobResult } from "./job-media.ts";
import {
  eventWords,
  excerpt,
  isLive,
  MODALITY_WORDS,
  SOURCE_WORDS,
  standing,
  STATE_TONES,
  STATE_WORDS,
} from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { inWords, labelOf } from "./params.ts";
import {
  againAddress,
  buildAddress,
  DOWNLOAD_PATH,
  entryAddress,
  jobPath,
  JOBS_PATH,
  workflowPath,
} from "./paths.ts";
import { starButton, starForm } from "./star.ts";

const REFRESH_SECONDS = 3;
const TITLE_LENGTH = 60;

export type JobView = {
  person: Person;
  job: JobResource;
  modelName: ModelName;
  /** The signed receipt; undefined if the service signs none. */
  receipt?: string | undefined;
  isStarred: boolean;
  deliveries: readonly DeliveryResource[];
  now: Date;
  /** Why the person's last action was refused. */
  refusal?: AppError;
};

export function jobPage({
  person,
  job,
  modelName,
  receipt,
  isStarred,
  deliveries,
  now,
  refusal,
}: JobView): Page {
  const live = isLive(job);
  const path = jobPath(job.job_id);
  return {
    title: `${MODALITY_WORDS[job.modality]}: ${excerpt(job.prompt, TITLE_LENGTH)}`,
    person,
    path,
    styles: ["studio.css", "works.css"],
    scripts: ["job.js", "star.js"],
    ...(live && {
      head: html`<noscript><meta http-equiv="refresh" content=${String(REFRESH_SECONDS)} /></noscript>`,
    }),
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb"><a href=${JOBS_PATH}>Jobs</a></nav>
      ${refusal && refusalNotice(refusal)}
      <div
        class="stack stack--loose"
        id="job"
        data-events=${live ? `/account/api${path}/events?after=${lastSeq(job)}` : undefined}
      >
        ${head(job, modelName, now)}
        <div class="job">
          <div class="stack">
            ${jobResult(job, now, { failed: "The job failed.", cancelled: "Cancelled" })}
          </div>
          <div class="stack stack--loose">
            ${actions(job, person, { isStarred, now })}
            <section class="stack" aria-labelledby="prompt-heading">
              <h2 id="prompt-heading">Prompt</h2>
              <p class="prompt">${job.prompt}</p>
            </section>
            ${facts(job, modelName)} ${receipt !== undefined && !live && receiptSection(receipt)}
            ${timeline(job)}
          </div>
        </div>
        ${job.callback !== null && deliveryLog({ job, callback: job.callback, deliveries, person })}
      </div>
    </div>`,
  };
}

function lastSeq({ events }: JobResource): number {
  return events.at(-1)?.seq ?? 0;
}

function head(job: JobResource, modelName: ModelName, now: Date): Markup {
  return html`<div class="stack stack--close">
    <div class="cluster">
      <h1>${MODALITY_WORDS[job.modality]} by ${modelName(job.model_slug)}</h1>
      ${badge({ label: STATE_WORDS[job.state], tone: STATE_TONES[job.state] })}
    </div>
    <p class="job-head__standing">
      <span id="job-standing" role="status">${standing(job)}</span>
      <span class="note">${timeAgo(job.ended_at ?? job.created_at, now)}</span>
    </p>
  </div>`;
}

function actions(
  job: JobResource,
  person: Person,
  { isStarred, now }: Pick<JobView, "isStarred" | "now">,
): Markup {
  const there = job.outputs.filter((output) => isThere(output, now));
  return html`<div class="cluster job-actions">
    ${
      (isStarred || there.length > 0) &&
      html`${starForm(person, jobPath(job.job_id))} ${starButton(job, isStarred)}`
    }
    ${
      (job.cancellable || job.state === "cancelling") &&
      html`<form method="post" action=${`${jobPath(job.job_id)}/cancel`}>
        ${csrfField(person)} ${cancelButton(job)}
      </form>`
    }
    ${linkButton({ href: againAddress(job.job_id), label: "Generate again", kind: "quiet" })}
    ${job.state === "completed" && linkButton({ href: buildAddress(job.job_id), label: "Build a workflow", kind: "quiet" })}
    ${
      job.params["seed"] !== undefined &&
      linkButton({ href: againAddress(job.job_id, "same"), label: "Same seed", kind: "quiet" })
    }
    ${
      there.length > 1 &&
      html`<form method="post" action=${DOWNLOAD_PATH}>
        ${csrfField(person)} <input type="hidden" name="job" value=${job.job_id} />
        ${button({ label: "Download all", kind: "quiet" })}
      </form>`
    }
    ${
      there.length > 0 &&
      confirmedAction(person, {
        action: `${jobPath(job.job_id)}/delete-files`,
        label: there.length === 1 ? "Delete file" : "Delete files",
        of: "of this job",
        question: `${there.length === 1 ? "The file goes" : `The ${counted(there.length, "file")} go`} permanently. The job, its cost and its timeline stay.`,
      })
    }
  </div>`;
}

function cancelButton({ state }: JobResource): Markup {
  return state === "cancelling"
    ? button({ label: "Stopping…", kind: "danger", id: "cancel", isDisabled: true })
    : button({ label: "Cancel this job", kind: "danger", id: "cancel" });
}

function timeline({ events, created_at }: JobResource): Markup {
  const startMs = Date.parse(created_at);
  return html`<section class="stack" aria-labelledby="timeline-heading">
    <h2 id="timeline-heading">Timeline</h2>
    <ol class="timeline">
      ${events.map(
        (event) =>
          html`<li class=${`timeline__event timeline__event--${event.type}`}>
            <span>${eventLink(event)}</span>
            ${timeAs(event.at, elapsed(Date.parse(event.at) - startMs))}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** Events that moved credits link to their ledger entry. */
function eventLink(event: JobEventResource): Children {
  const { ledger_entry_id: entryId } = event;
  return entryId === undefined
    ? eventWords(event)
    : html`<a href=${entryAddress(entryId)}>${eventWords(event)}</a>`;
}

function facts(job: JobResource, modelName: ModelName): Markup {
  return html`<section class="stack" aria-labelledby="facts-heading">
    <h2 id="facts-heading">Details</h2>
    <dl class="fact-rows">
      ${fact("Model", modelName(job.model_slug))} ${fact("Price", credits(job.credits_reserved))}
      ${fact("Charged", credits(job.credits_charged))}
      ${Object.entries(job.params).map(([name, value]) => fact(labelOf({ name }), inWords(name, value)))}
      ${fact("Made through", SOURCE_WORDS[job.source] ?? job.source)}
      ${fact("Asked for", timeOf(job.created_at))}
      ${job.ended_at !== null && fact("Ended", timeOf(job.ended_at))}
      ${Object.entries(job.metadata).map(([name, value]) => fact(name, value))}
      ${
        job.workflow_id !== undefined &&
        fact("Step of", html`<a href=${workflowPath(job.workflow_id)}>a workflow</a>`)
      }
      ${fact("Job", html`<code>${job.job_id}</code>`)}
    </dl>
  </section>`;
}

function receiptSection(receipt: string): Markup {
  return html`<details class="more">
    <summary>Signed receipt</summary>
    <p>
      This text proves to anyone what the job cost and made. <a href="/docs/receipts">How to verify it</a>
    </p>
    <pre tabindex="0" role="region" aria-label="Signed receipt">${receipt}</pre>
  </details>`;
}

function elapsed(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${count(Math.round(ms / 1000))} s`;
}
