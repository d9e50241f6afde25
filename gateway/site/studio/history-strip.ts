// The latest works below the form, each with a link back to it.
import type { JobResource } from "../../../proto/resources/job.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { firstThumbnail } from "./job-media.ts";
import { excerpt, isLive, MODALITY_ICONS, MODALITY_WORDS, STATE_WORDS } from "./job-words.ts";
import { JOBS_PATH, shownAddress } from "./paths.ts";

const PROMPT_LENGTH = 80;

/** `shown` is the id of the job beside the form. */
export function historyStrip(
  jobs: readonly JobResource[],
  { shown, now }: { shown: string | undefined; now: Date },
): Markup {
  return html`<section
    class="history"
    id="history"
    aria-labelledby="history-heading"
    hidden=${jobs.length === 0}
  >
    <div class="cluster cluster--apart">
      <h2 id="history-heading">Your latest</h2>
      <a href=${JOBS_PATH}>All jobs</a>
    </div>
    <ul class="history__list">
      ${jobs.map(
        (job) =>
          html`<li>
            <a
              class="history__work"
              href=${shownAddress(job.job_id)}
              aria-current=${job.job_id === shown ? "true" : undefined}
              >${picture(job, now)}<span class="aside-from-sight"
                >${MODALITY_WORDS[job.modality]}:${" "}
                ${excerpt(job.prompt, PROMPT_LENGTH)}${
                  job.state === "completed" ? "" : `, ${STATE_WORDS[job.state].toLowerCase()}`
                }</span
              ></a
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function picture(job: JobResource, now: Date): Markup {
  const thumbnail = firstThumbnail(job, now);
  if (thumbnail) return thumbnail;
  return html`<span class="history__none"
    >${icon(MODALITY_ICONS[job.modality])}${(isLive(job) || job.state === "failed") && STATE_WORDS[job.state]}</span
  >`;
}
