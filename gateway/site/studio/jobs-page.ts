// /jobs: what the account has made, newest first.
import { JOB_STATES, type JobResource, MODALITIES } from "../../../proto/resources/job.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { select, textField } from "../design/field.ts";
import { count, dateTime } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { firstThumbnail } from "./job-media.ts";
import {
  excerpt,
  MODALITY_ICONS,
  MODALITY_WORDS,
  SOURCE_WORDS,
  STATE_TONES,
  STATE_WORDS,
} from "./job-words.ts";
import { GENERATE_PATH, jobPath, JOBS_PATH, useAsInputAddress } from "./paths.ts";

const PROMPT_LENGTH = 80;

/** As the form sends it; empty where nothing is chosen. */
export type JobFilter = {
  state: string;
  modality: string;
  model: string;
  /** Days. */
  since: string;
  until: string;
  /** name=value */
  metadata: string;
};

/** Choices of several states, beside each by itself. */
const SEVERAL = [
  { value: "reserved,running,cancelling", label: "Not ended" },
  { value: "completed,failed,cancelled", label: "Ended" },
];

export function jobsPage({
  person,
  jobs,
  filter,
  cursor,
  nextCursor,
  now,
}: {
  person: Person;
  jobs: readonly JobResource[];
  filter: JobFilter;
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  now: Date;
}): Page {
  return {
    title: "Jobs",
    person,
    path: JOBS_PATH,
    styles: ["studio.css"],
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Jobs</h1>
        ${linkButton({ href: GENERATE_PATH, label: "Generate" })}
      </div>
      ${filters(filter)} ${jobs.length > 0 ? list(jobs, now) : nothing(filter, cursor, nextCursor)}
      ${pages(filter, cursor, nextCursor)}
    </div>`,
  };
}

function filters({ state, modality, model, since, until, metadata }: JobFilter): Markup {
  return html`<form class="filters" method="get" action=${JOBS_PATH}>
    ${select({
      name: "state",
      label: "State",
      value: state,
      options: [
        { value: "", label: "Any" },
        ...SEVERAL,
        ...JOB_STATES.map((value) => ({ value, label: STATE_WORDS[value] })),
      ],
    })}
    ${select({
      name: "modality",
      label: "Kind",
      value: modality,
      options: [
        { value: "", label: "Any" },
        ...MODALITIES.map((value) => ({ value, label: MODALITY_WORDS[value] })),
      ],
    })}
    ${textField({ name: "model", label: "Model", value: model, maxLength: 100, autocomplete: "off" })}
    ${textField({ name: "since", label: "From", type: "date", value: since })}
    ${textField({ name: "until", label: "To", type: "date", value: until })}
    ${textField({ name: "metadata", label: "Metadata", value: metadata, placeholder: "order=4711", maxLength: 600, autocomplete: "off" })}
    ${button({ label: "Show", kind: "quiet" })}
  </form>`;
}

function list(jobs: readonly JobResource[], now: Date): Markup {
  return table({
    caption: "Newest first",
    columns: [
      { label: "Prompt" },
      { label: "Model" },
      { label: "State" },
      { label: "Credits", isNumber: true },
      { label: "Through" },
      { label: "Asked for" },
      { label: "File" },
    ],
    rows: jobs.map((job) => [
      html`<a class="job-link" href=${jobPath(job.job_id)}
        >${picture(job, now)}<span>${excerpt(job.prompt, PROMPT_LENGTH)}</span></a
      >`,
      job.model_slug,
      badge({ label: STATE_WORDS[job.state], tone: STATE_TONES[job.state] }),
      count(job.credits_charged),
      SOURCE_WORDS[job.source] ?? job.source,
      dateTime(job.created_at),
      useAsInput(job, now),
    ]),
  });
}

/** The first picture of a job, for a model that takes one. */
function useAsInput({ job_id, prompt, outputs }: JobResource, now: Date): Children {
  const picture = outputs.find(
    ({ mime_type, expires_at }) => mime_type.startsWith("image/") && new Date(expires_at) > now,
  );
  if (!picture) return "";
  return html`<a href=${useAsInputAddress({ outputId: picture.output_id, jobId: job_id })}
    >Use as input<span class="aside-from-sight"> ${excerpt(prompt, PROMPT_LENGTH)}</span></a
  >`;
}

/** What the job made, else what kind it is of. The prompt beside it says what it shows. */
function picture(job: JobResource, now: Date): Markup {
  const thumbnail = firstThumbnail(job, now);
  if (!thumbnail) return icon(MODALITY_ICONS[job.modality]);
  const { address, width, height } = thumbnail;
  return html`<img
    class="job-link__picture"
    src=${address}
    width=${width}
    height=${height}
    alt=""
    loading="lazy"
  />`;
}

function nothing(filter: JobFilter, cursor: string, nextCursor: string): Markup {
  const isWhole = cursor === "" && Object.values(filter).every((value) => value === "");
  // A page looks through so many jobs and no more.
  if (nextCursor !== "")
    return emptyState({
      title: "None so far",
      body: "None of the jobs that were looked through is like that; there are older ones.",
    });
  return isWhole
    ? emptyState({
        title: "No jobs yet",
        body: "What you generate here, through the API or by an assistant is listed on this page.",
        action: linkButton({ href: GENERATE_PATH, label: "Generate something" }),
      })
    : emptyState({
        title: "No such jobs",
        body: "None of your jobs is like that.",
        action: linkButton({ href: JOBS_PATH, label: "All jobs", kind: "quiet" }),
      });
}

function pages(filter: JobFilter, cursor: string, nextCursor: string): Markup | false {
  if (cursor === "" && nextCursor === "") return false;
  return html`<nav class="cluster" aria-label="Pages">
    ${cursor !== "" && linkButton({ href: jobsAddress(filter, ""), label: "Newest", kind: "quiet" })}
    ${nextCursor !== "" && linkButton({ href: jobsAddress(filter, nextCursor), label: "Older", kind: "quiet" })}
  </nav>`;
}

function jobsAddress(filter: JobFilter, cursor: string): string {
  const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== "");
  return given.length === 0 ? JOBS_PATH : `${JOBS_PATH}?${new URLSearchParams(given).toString()}`;
}
