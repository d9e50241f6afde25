// /jobs: the account's jobs, newest first, as pictures or as a table, with actions for several of them. browser/works.js updates jobs that
// end.
import { JOB_STATES, type JobResource, MODALITIES } from "../../../proto/resources/job.ts";
import { csrfField } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { checkbox, select, textField } from "../design/field.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { emptyState, standingNotice } from "../design/notice.ts";
import { dateOf } from "../design/time.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { MODALITY_WORDS, STATE_WORDS } from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { DELETE_PATH, DOWNLOAD_PATH, GENERATE_PATH, JOBS_PATH } from "./paths.ts";
import { starForm } from "./star.ts";
import { type View, worksNav } from "./works-nav.ts";
import { gallery, jobsTable } from "./works.ts";

export type JobsView = {
  person: Person;
  jobs: readonly JobResource[];
  /** The ids of those that are favourites. */
  starred: ReadonlySet<string>;
  view: View;
  filter: JobFilter;
  /** Models to choose from. */
  models: readonly { slug: string; name: string }[];
  modelName: ModelName;
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  /** When the last searched job was created, if older jobs were not searched. */
  lookedBackTo: string | undefined;
  /** The result of the person's last action. */
  news?: Markup | undefined;
  now: Date;
};

export function jobsPage(given: JobsView): Page {
  const { person, jobs, filter, view, cursor, nextCursor } = given;
  return {
    title: "Jobs",
    person,
    path: JOBS_PATH,
    styles: ["studio.css", "works.css"],
    scripts: ["works.js", "star.js"],
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Jobs</h1>
        <div class="cluster">
          ${worksNav(view, (other) => jobsAddress(filter, cursor, other))}
          ${linkButton({ href: GENERATE_PATH, label: "Generate" })}
        </div>
      </div>
      ${given.news} ${jobFilters(filter, given.models)} ${jobs.length > 0 ? works(given) : nothing(given)}
      ${lookedBack(given)} ${pages({ filter, cursor, nextCursor, view })}
    </div>`,
  };
}

/** The buttons follow the works in keyboard order and stick to the lower edge of the window. */
function works({ person, jobs, filter, cursor, view, ...shown }: JobsView): Markup {
  return html`${starForm(person, jobsAddress(filter, cursor, view))}
    <form class="stack" method="post" action=${DOWNLOAD_PATH} id="works">
      ${csrfField(person)} ${view === "table" ? jobsTable(jobs, shown) : gallery(jobs, shown)}
      <div class="works-bar">
        <p class="note" id="works-chosen" role="status">
          Select works to download or delete their files together.
        </p>
        <div class="cluster">
          <button class="button button--quiet button--small" type="button" id="works-all" hidden>
            Select all
          </button>
          ${button({ label: "Download ZIP", kind: "quiet", id: "works-download" })}
          <button class="button button--danger" type="submit" id="works-delete" formaction=${DELETE_PATH}>
            Delete files…
          </button>
        </div>
      </div>
    </form>`;
}

function lookedBack({ filter, lookedBackTo, jobs }: JobsView): Children {
  // If no job was found, the message takes the place of the works.
  if (lookedBackTo === undefined || jobs.length === 0) return undefined;
  const what = filter.search === "" ? "Looked" : "Searched";
  return html`<p class="note">
    ${what} through your jobs back to ${dateOf(lookedBackTo)}. There are older ones.
  </p>`;
}

function nothing({ filter, cursor, nextCursor, lookedBackTo, view }: JobsView): Markup {
  const isWhole = cursor === "" && Object.values(filter).every((value) => value === "");
  // A page searches a limited number of jobs.
  if (lookedBackTo !== undefined)
    return emptyState({
      title: "None so far",
      body: html`None of your jobs since ${dateOf(lookedBackTo)} is like that; there are older ones.`,
      action: linkButton({ href: jobsAddress(filter, nextCursor, view), label: "Look further back" }),
    });
  return isWhole
    ? emptyState({
        title: "No jobs yet",
        body: "What you generate here, through the API or with an assistant shows up on this page.",
        action: linkButton({ href: GENERATE_PATH, label: "Generate something" }),
      })
    : emptyState({
        title: "No matching jobs",
        body:
          filter.favourites === ""
            ? "Nothing matches these filters."
            : "No favourite with a file matches. Press the star on a work to make it one.",
        action: linkButton({ href: JOBS_PATH, label: "All jobs", kind: "quiet" }),
      });
}

type Place = Pick<JobsView, "filter" | "cursor" | "nextCursor" | "view">;

function pages({ filter, cursor, nextCursor, view }: Place): Markup | false {
  if (cursor === "" && nextCursor === "") return false;
  return html`<nav class="cluster" aria-label="Pages">
    ${cursor !== "" && linkButton({ href: jobsAddress(filter, "", view), label: "Newest", kind: "quiet" })}
    ${nextCursor !== "" && linkButton({ href: jobsAddress(filter, nextCursor, view), label: "Older", kind: "quiet" })}
  </nav>`;
}

function jobsAddress(filter: JobFilter, cursor: string, view: View): string {
  const given = Object.entries({ ...filter, cursor, view }).filter(([, value]) => value !== "");
  return `${JOBS_PATH}?${new URLSearchParams(given).toString()}`;
}

/** Shows what would be deleted; the button on this page deletes it. */
export function deletePage({
  person,
  jobs,
  ...shown
}: Pick<JobsView, "person" | "jobs" | "modelName" | "now">): Page {
  return {
    title: "Delete files",
    person,
    path: JOBS_PATH,
    styles: ["studio.css", "works.css"],
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb"><a href=${JOBS_PATH}>Jobs</a></nav>
      <h1>Delete files</h1>
      ${standingNotice({
        tone: "warning",
        title:
          jobs.length === 1
            ? "The files of this job are deleted permanently"
            : `The files of these ${jobs.length} jobs are deleted permanently`,
        body: "The jobs, what they cost and their timelines stay. A file that a job is working from goes once that job can read it no more.",
      })}
      <form class="stack" method="post" action=${DELETE_PATH}>
        ${csrfField(person)} <input type="hidden" name="confirmed" value="1" />
        ${gallery(jobs, { ...shown, chosen: true })}
        <div class="cluster">
          ${button({ label: "Delete files", kind: "danger" })}
          ${linkButton({ href: JOBS_PATH, label: "Keep them", kind: "quiet" })}
        </div>
      </form>
    </div>`,
  };
}

/** Values as the form sends them; empty if nothing is chosen. */
type JobFilter = {
  /** Words of the prompt. */
  search: string;
  state: string;
  modality: string;
  model: string;
  /** Days. */
  since: string;
  until: string;
  /** In the form name=value. */
  metadata: string;
  /** 1 for favourites only. */
  favourites: string;
};

/** Combinations of several states, in addition to each single state. */
const SEVERAL = [
  { value: "reserved,running,cancelling", label: "Not ended" },
  { value: "completed,failed,cancelled", label: "Ended" },
];
const ANY = { value: "", label: "Any" };

function jobFilters(
  { search, state, modality, model, since, until, metadata, favourites }: JobFilter,
  models: readonly { slug: string; name: string }[],
): Markup {
  const isKnown = model === "" || models.some(({ slug }) => slug === model);
  return html`<form class="stack works-filters" method="get" action=${JOBS_PATH}>
    <div class="filters">
      <div class="works-filters__search">
        ${textField({ name: "search", label: "Prompt", type: "search", value: search, placeholder: "lighthouse dawn", maxLength: 200, autocomplete: "off" })}
      </div>
      ${select({
        name: "state",
        label: "State",
        value: state,
        options: [ANY, ...SEVERAL, ...JOB_STATES.map((value) => ({ value, label: STATE_WORDS[value] }))],
      })}
      ${select({
        name: "modality",
        label: "Kind",
        value: modality,
        options: [ANY, ...MODALITIES.map((value) => ({ value, label: MODALITY_WORDS[value] }))],
      })}
      ${select({
        name: "model",
        label: "Model",
        value: model,
        options: [
          ANY,
          ...models.map(({ slug, name }) => ({ value: slug, label: name })),
          // A model that is no longer offered.
          ...(isKnown ? [] : [{ value: model, label: model }]),
        ],
      })}
      ${checkbox({ name: "favourites", label: "Favourites", checked: favourites !== "" })}
      ${button({ label: "Show", kind: "quiet" })}
    </div>
    <details class="more" open=${since !== "" || until !== "" || metadata !== ""}>
      <summary>Days and metadata</summary>
      <div class="filters">
        ${textField({ name: "since", label: "From", type: "date", value: since })}
        ${textField({ name: "until", label: "To", type: "date", value: until })}
        ${textField({ name: "metadata", label: "Metadata", value: metadata, placeholder: "order=4711", maxLength: 600, autocomplete: "off" })}
      </div>
    </details>
  </form>`;
}
