// The form above the list of jobs: words of the prompt first, rare filters in a disclosure.
import { JOB_STATES, MODALITIES } from "../../../proto/resources/job.ts";
import { button } from "../design/button.ts";
import { checkbox, select, textField } from "../design/field.ts";
import { type Markup, html } from "../design/markup.js";
import { MODALITY_WORDS, STATE_WORDS } from "./job-words.ts";
import { JOBS_PATH } from "./paths.ts";

/** Values as the form sends them; empty if nothing is chosen. */
export type JobFilter = {
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

export function jobFilters(
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
