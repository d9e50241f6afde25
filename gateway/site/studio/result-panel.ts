// The result of a job beside its form: progress, outputs, and further actions. The same fragment is in the page and replaces itself while
// the job runs.
import { randomUUID } from "node:crypto";
import type { JobResource } from "../../../proto/resources/job.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { credits } from "../design/format.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { pictureOf, samplesOf } from "../samples/samples.ts";
import type { Person } from "../session/current-person.ts";
import type { Draft, Model } from "./draft.ts";
import { jobResult } from "./job-media.ts";
import { excerpt, fractionDone, isLive, percent, standing, STATE_TONES, STATE_WORDS } from "./job-words.ts";
import { AGAIN_PATH, buildAddress, jobPath, STOP_PATH, tweakAddress } from "./paths.ts";
import { placeholder } from "./placeholder.ts";
import { shownPriceField } from "./shown-price.ts";

const TITLE_LENGTH = 40;

/** The title of the tab: progress and prompt. */
export function titleOf(job: JobResource): string {
  const fraction = job.state === "running" ? fractionDone(job) : undefined;
  const word = job.state === "completed" ? "Done" : STATE_WORDS[job.state];
  return `${fraction === undefined ? word : percent(fraction)} · ${excerpt(job.prompt, TITLE_LENGTH)}`;
}

/** `data-events` is present while more events are expected. */
export function resultPanel(
  job: JobResource,
  { person, now, againPrice }: { person: Person; now: Date; againPrice?: number | undefined },
): Markup {
  const live = isLive(job);
  return html`<section
    class="result"
    id="result"
    aria-labelledby="result-heading"
    data-events=${live ? `/account/api${jobPath(job.job_id)}/events?after=${job.events.at(-1)?.seq ?? 0}` : undefined}
    data-fragment=${live ? `/generate/jobs/${job.job_id}` : undefined}
  >
    <div class="cluster cluster--apart">
      <h2 id="result-heading">Result</h2>
      ${badge({ label: STATE_WORDS[job.state], tone: STATE_TONES[job.state] })}
    </div>
    ${jobResult(job, now, { failed: "This did not work.", cancelled: "Stopped" })}
    <p class="note">
      <span id="result-standing" role="status">${standing(job)}</span>${
        !live && html` <a href=${jobPath(job.job_id)}>Job details</a>`
      }
    </p>
    <div class="cluster result__actions">${actions(job, person, againPrice)}</div>
  </section>`;
}

/** Before the first press: a sample of the model. */
export function emptyResult(model: Model, draft: Draft): Markup {
  const [sample] = samplesOf(model.model_slug);
  const picture = sample && pictureOf(sample, "large");
  return html`<section class="result" id="result" aria-labelledby="result-heading">
    <h2 id="result-heading">Result</h2>
    ${
      sample && picture
        ? html`<figure class="media__item result__sample">
            <img src=${picture.address} width=${picture.width} height=${picture.height} alt="" />
            <figcaption class="note">
              Made by ${model.name}: “${sample.prompt}” Yours will stand here.
            </figcaption>
          </figure>`
        : placeholder(model.modality, {
            params: { width: Number(draft.params.get("width")), height: Number(draft.params.get("height")) },
            children: html`<p>What you make will stand here.</p>`,
          })
    }
  </section>`;
}

function actions(job: JobResource, person: Person, againPrice = job.credits_reserved): Children {
  if (isLive(job))
    return [
      (job.cancellable || job.state === "cancelling") && stop(job, person),
      html`<button class="button button--quiet" type="button" id="notify" hidden>
        Tell me when it is done
      </button>`,
    ];
  const { job_id, params, state } = job;
  const hasSeed = params["seed"] !== undefined;
  const again = state === "completed" && hasSeed ? "Vary" : "Try again";
  return [
    html`<form class="again" method="post" action=${AGAIN_PATH} data-swap>
      ${csrfField(person)}
      <input type="hidden" name="job" value=${job_id} />
      <input type="hidden" name="idempotency_key" value=${randomUUID()} autocomplete="off" />
      ${shownPriceField(againPrice)}
      ${button({ label: againPrice === 0 ? again : `${again} for ${credits(againPrice)}`, id: "new-seed" })}
    </form>`,
    hasSeed && linkButton({ href: tweakAddress(job_id, "same"), label: "Same seed", kind: "quiet" }),
    linkButton({ href: tweakAddress(job_id), label: "Tweak", kind: "quiet" }),
    state === "completed" &&
      linkButton({ href: buildAddress(job_id), label: "Build a workflow", kind: "quiet" }),
  ];
}

function stop({ job_id, state }: JobResource, person: Person): Markup {
  const isStopping = state === "cancelling";
  return html`<form method="post" action=${STOP_PATH} data-swap>
    ${csrfField(person)}
    <input type="hidden" name="job" value=${job_id} />
    ${button({ label: isStopping ? "Stopping…" : "Stop", kind: "danger", id: "stop", isDisabled: isStopping })}
  </form>`;
}
