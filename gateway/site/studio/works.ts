// Jobs as pictures and as rows, each with a checkbox. `data-stamp` changes with the visible state, so that browser/works.js replaces only
// changed jobs; `data-events` is the event stream of a live job.
import type { JobResource } from "../../../proto/resources/job.ts";
import { badge } from "../design/badge.ts";
import { count } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { timeAgo } from "../design/time.ts";
import { firstPicture, isThere, lengthOf } from "./job-media.ts";
import {
  excerpt,
  fractionDone,
  isLive,
  MODALITY_ICONS,
  SOURCE_WORDS,
  standing,
  STATE_TONES,
  STATE_WORDS,
} from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { jobPath, useAsInputAddress } from "./paths.ts";
import { starButton } from "./star.ts";

const PROMPT_LENGTH = 80;

type Shown = { readonly now: Date; readonly modelName: ModelName; readonly starred: ReadonlySet<string> };

/** Without `starred` no work has a star to press. */
export function gallery(
  jobs: readonly JobResource[],
  { now, modelName, starred, chosen = false }: Omit<Shown, "starred"> & Partial<Shown> & { chosen?: boolean },
): Markup {
  return html`<ul class="works">
    ${jobs.map(
      (job) =>
        html`<li class="work" ...${marks(job)}>
          <a class="work__link" href=${jobPath(job.job_id)}>
            <span class=${`work__picture work__picture--${job.modality} state--${job.state}`}
              >${picture(job, now)}</span
            >${" "}
            <span class="clamp work__prompt">${excerpt(job.prompt, PROMPT_LENGTH)}</span>
          </a>
          <p class="work__facts note">
            <span>${modelName(job.model_slug)}</span> ${timeAgo(job.created_at, now)}
          </p>
          <label class="work__pick">${box(job, chosen)}</label>
          ${starred && star(job, { starred, now })}
        </li>`,
    )}
  </ul>`;
}

/** A favourite keeps its star; of other jobs, those with a file have one to press. */
function star(job: JobResource, { starred, now }: { starred: ReadonlySet<string>; now: Date }): Children {
  const isStarred = starred.has(job.job_id);
  return (
    (isStarred || job.outputs.some((output) => isThere(output, now))) &&
    starButton(job, isStarred, { isSmall: true })
  );
}

export function jobsTable(jobs: readonly JobResource[], { now, modelName, starred }: Shown): Markup {
  return table({
    caption: "Newest first",
    columns: [
      "Prompt",
      "Model",
      "State",
      { label: "Credits", isNumber: true },
      "Through",
      "Asked for",
      "File",
    ],
    rows: jobs.map((job) => [
      html`<span class="job-row" ...${marks(job)}>
        <label class="job-row__pick">${box(job, false)}</label>
        <a class="job-link" href=${jobPath(job.job_id)}
          >${rowPicture(job, now)}<span>${excerpt(job.prompt, PROMPT_LENGTH)}</span></a
        >${star(job, { starred, now })}
      </span>`,
      modelName(job.model_slug),
      badge({ label: STATE_WORDS[job.state], tone: STATE_TONES[job.state] }),
      count(job.credits_charged),
      SOURCE_WORDS[job.source] ?? job.source,
      timeAgo(job.created_at, now),
      file(job, now),
    ]),
  });
}

function marks(job: JobResource): Record<string, string | undefined> {
  const { job_id, state, events, outputs } = job;
  const deleted = outputs.filter(({ deleted_at }) => deleted_at !== undefined).length;
  return {
    id: `work-${job_id}`,
    "data-stamp": `${state} ${events.length} ${deleted}`,
    "data-events": isLive(job)
      ? `/account/api${jobPath(job_id)}/events?after=${events.at(-1)?.seq ?? 0}`
      : undefined,
  };
}

function box({ job_id, prompt }: JobResource, checked: boolean): Markup {
  return html`<input type="checkbox" name="job" value=${job_id} checked=${checked} /><span
      class="aside-from-sight"
      >Select ${excerpt(prompt, PROMPT_LENGTH)}</span
    >`;
}

/** The visible part of a job: its first picture, or its modality and state. */
function picture(job: JobResource, now: Date): Children {
  const drawn = firstPicture(job, now);
  const [first] = job.outputs;
  const many = job.outputs.length > 1 && html`<span class="work__count">${job.outputs.length}</span>`;
  if (drawn) return html`${drawn} ${kind(job)} ${many}`;
  const words = first && !isThere(first, now) ? goneWords(first) : standing(job);
  return html`${icon(MODALITY_ICONS[job.modality])}<span class="work__words">${words}</span>
    ${job.state === "running" && html`<progress max="1" value=${fractionDone(job)} aria-hidden="true"></progress>`}
    ${many}`;
}

/** Of a clip or a sound, with its length. */
function kind(job: JobResource): Children {
  return (
    job.modality !== "image" &&
    html`<span class="work__kind">${icon(MODALITY_ICONS[job.modality])}${lengthOf(job)}</span>`
  );
}

function goneWords({ deleted_at }: JobResource["outputs"][number]): string {
  return deleted_at === undefined ? "File expired" : "File deleted";
}

function rowPicture(job: JobResource, now: Date): Markup {
  return firstPicture(job, now, "job-link__picture") ?? icon(MODALITY_ICONS[job.modality]);
}

/** A link that uses the first picture of a job as input, or a note that it no longer exists. */
function file({ job_id, prompt, outputs }: JobResource, now: Date): Children {
  const [first] = outputs;
  const there = outputs.find((output) => output.mime_type.startsWith("image/") && isThere(output, now));
  if (!there) return first && !isThere(first, now) ? goneWords(first) : "";
  return html`<a href=${useAsInputAddress({ outputId: there.output_id, jobId: job_id })}
    >Use as input<span class="aside-from-sight"> ${excerpt(prompt, PROMPT_LENGTH)}</span></a
  >`;
}
