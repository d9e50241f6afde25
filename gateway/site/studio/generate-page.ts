// /generate: the one page to make things on. The form and its code on one side, the work on the other, the latest works below. Its parts with
// ids are fragments: the script puts newer ones in their place, made by the same functions.
import type { JobResource } from "../../../proto/resources/job.ts";
import type { CodeSample } from "../../answers/code-samples.ts";
import { csrfField } from "../account/account-frame.ts";
import { linkButton } from "../design/button.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState, notice } from "../design/notice.ts";
import type { Page } from "../layout/render-page.ts";
import { SITE_NAME } from "../layout/site-name.ts";
import { pictureOf, type Sample, samplesOf } from "../samples/samples.ts";
import type { Person } from "../session/current-person.ts";
import { VISITOR_FIELD } from "../session/kept-form.ts";
import { type InputChoices, inputParamsOf, type WantedInput } from "./ask-inputs.ts";
import { codeOf, codePanel } from "./code-panel.ts";
import type { Draft, Model } from "./draft.ts";
import {
  fileFields,
  moreFields,
  optionFields,
  promptField,
  type Understanding,
  understoodLine,
} from "./generate-fields.ts";
import { firstPicture } from "./job-media.ts";
import { MODALITY_ICONS, MODALITY_WORDS, STATE_WORDS, excerpt, isLive } from "./job-words.ts";
import { modalityTabs, modelCards } from "./model-cards.ts";
import {
  GENERATE_PATH,
  JOBS_PATH,
  PREVIEW_PATH,
  draftAddress,
  exampleAddress,
  shownAddress,
} from "./paths.ts";
import { availableLine, type Balance, type Price, priceBox, priceLine, shortLine } from "./price-box.ts";
import { emptyResult, resultPanel, titleOf } from "./result-panel.ts";

const REFRESH_SECONDS = 3;

/** Why the last press of the button made no job. */
export type Refusal = {
  readonly message: string;
  readonly hint: string;
  /** By name of the form's field. */
  readonly fields: ReadonlyMap<string, string>;
};

/** What the form would cost and show as it stands. */
export type Preview = Understanding & {
  readonly price: Price;
  readonly code: readonly CodeSample[];
};

export type GenerateView = {
  /** Undefined for a visitor, who sees the form, prices and examples, and signs in by pressing the button. */
  readonly person: Person | undefined;
  readonly models: readonly Model[];
  readonly model: Model;
  readonly draft: Draft;
  readonly balance: Balance | undefined;
  readonly inputs: InputChoices;
  readonly preview: Preview;
  readonly history: readonly JobResource[];
  readonly now: Date;
  /** The job beside the form. */
  readonly shown?: JobResource | undefined;
  /** What the same again costs, if that is no longer the price of the job. */
  readonly againPrice?: number | undefined;
  readonly isCodeOpen?: boolean;
  /** Where the person comes to work from an output. */
  readonly wanted?: WantedInput | undefined;
  readonly refusal?: Refusal | undefined;
};

export function generatePage(view: GenerateView): Page {
  const { person, model, shown, history, now } = view;
  const takesFiles = person !== undefined && inputParamsOf(model).length > 0;
  return {
    title: shown ? titleOf(shown) : "Generate",
    person,
    path: GENERATE_PATH,
    styles: ["studio.css", "generate.css"],
    // What takes files goes first: a press waits for them.
    scripts: [...(takesFiles ? ["inputs.js"] : []), "generate.js", "copy.js"],
    ...(shown &&
      isLive(shown) && {
        head: html`<noscript><meta http-equiv="refresh" content=${refreshOf(shown, view)} /></noscript>`,
      }),
    body: html`<div class="stack stack--loose">
      <div class="generate">
        <div class="generate__head">
          <h1>Generate</h1>
          ${modalityTabs(view)}
        </div>
        <div class="generate__ask">${modelCards(view)} ${viewTabs(view)} ${form(view)}</div>
        <div class="generate__result">
          ${shown && person ? resultPanel(shown, { person, now, againPrice: view.againPrice }) : emptyResult(model, view.draft)}
        </div>
      </div>
      ${historyStrip(history, { shown: shown?.job_id, now })}
    </div>`,
  };
}

/** Another address each time: a browser that is led to the part of the page it shows already does not load it again. */
function refreshOf({ job_id }: JobResource, { draft, now }: GenerateView): string {
  const seed = draft.params.get("seed") ? "same" : undefined;
  return `${REFRESH_SECONDS}; url=${shownAddress(job_id, seed)}&at=${now.getTime()}#result`;
}

/** Where no model is live. */
export function nothingToGenerate(person: Person | undefined): Page {
  return {
    title: "Generate",
    person,
    path: GENERATE_PATH,
    body: html`<div class="stack stack--loose">
      <h1>Generate</h1>
      ${emptyState({
        title: "Nothing can be made at the moment",
        body: "No model is live. Your jobs and credits stay as they are.",
        ...(person && { action: linkButton({ href: "/jobs", label: "Your jobs", kind: "quiet" }) }),
      })}
    </div>`,
  };
}

/** What changes as one types. */
export function previewFragments(preview: Preview, balance: Balance | undefined): Markup {
  const { price, code } = preview;
  return html`${priceLine(price)} ${availableLine(balance)} ${balance && shortLine(price, balance)}
  ${understoodLine(preview)} ${code.map(codeOf)}`;
}

/** What changes while a job lives. */
export function liveFragments({
  person,
  shown,
  history,
  balance,
  now,
}: Pick<GenerateView, "history" | "balance" | "now"> & { person: Person; shown: JobResource }): Markup {
  return html`<title>${titleOf(shown)} · ${SITE_NAME}</title> ${resultPanel(shown, { person, now })}
    ${historyStrip(history, { shown: shown.job_id, now })} ${availableLine(balance)}`;
}

/** The form and the same as code: links, so that each has an address. */
function viewTabs({ model, draft, shown, isCodeOpen = false }: GenerateView): Markup {
  const address = (show?: "code") => draftAddress(model, draft, { show, job: shown?.job_id });
  return html`<nav class="tabs tabs--small" aria-label="Form or code">
    <ul>
      <li>
        <a href=${address()} data-view="form" aria-current=${isCodeOpen ? undefined : "true"}>Form</a>
      </li>
      <li>
        <a href=${address("code")} data-view="code" aria-current=${isCodeOpen ? "true" : undefined}>Code</a>
      </li>
    </ul>
  </nav>`;
}

function form(view: GenerateView): Markup {
  const { person, model, draft, balance, inputs, preview, shown, refusal, isCodeOpen = false } = view;
  const fields = {
    model,
    draft,
    inputs,
    preview,
    errors: refusal?.fields ?? new Map<string, string>(),
  };
  return html`<form
    class="generate__form"
    method="post"
    enctype=${person && inputParamsOf(model).length > 0 ? "multipart/form-data" : undefined}
    action=${GENERATE_PATH}
    data-preview=${PREVIEW_PATH}
    data-max-prompt=${model.max_prompt_length}
  >
    ${person ? csrfField(person) : html`<input type="hidden" name=${VISITOR_FIELD} value="yes" />`}
    <input
      type="hidden"
      name="idempotency_key"
      id="idempotency-key"
      value=${draft.idempotencyKey}
      autocomplete="off"
    />
    <input type="hidden" name="model" value=${model.model_slug} />
    ${shown && html`<input type="hidden" name="job" value=${shown.job_id} />`}
    <div id="refusal">${refusal && refusalNotice(refusal)}</div>
    ${codePanel(preview.code, { isOpen: isCodeOpen })}
    <div class="generate__fields" id="fields" hidden=${isCodeOpen}>
      ${person ? fileFields(fields) : inputParamsOf(model).length > 0 && html`<p class="note">It works from a file of yours, which you can add once you are signed in.</p>`}
      ${promptField(fields)} ${exampleStrip(model.model_slug, { isOpen: !shown && draft.prompt === "" })}
      ${optionFields(fields)} ${moreFields(fields)} ${priceBox(model, preview.price, balance)}
    </div>
  </form>`;
}

function refusalNotice({ message, hint, fields }: Refusal): Markup {
  return notice({
    tone: "danger",
    title: fields.size > 0 ? "Something in the form is not right" : message,
    body: html`<p>
      ${fields.size > 0 ? (fields.get("") ?? "It is marked below. Nothing was made or charged.") : hint}
    </p>`,
  });
}

/** Nothing for a model that is not ours. Closed where the page has a work to show. */
function exampleStrip(model: string, { isOpen }: { isOpen: boolean }): Markup | false {
  const samples = samplesOf(model);
  return (
    samples.length > 0 &&
    html`<details class="more examples" open=${isOpen}>
      <summary>Begin with an example</summary>
      <ul class="examples__list">
        ${samples.map((sample) => html`<li>${example(sample)}</li>`)}
      </ul>
    </details>`
  );
}

function example(sample: Sample): Markup {
  const { address, width, height } = pictureOf(sample, "small");
  return html`<a class="example" href=${exampleAddress(sample.id)}>
    <img src=${address} width=${width} height=${height} alt="" loading="lazy" />
    <span class="example__prompt">${sample.prompt}</span>
  </a>`;
}

const PROMPT_LENGTH = 80;

/** `shown` is the id of the job beside the form. */
function historyStrip(
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
  const drawn = firstPicture(job, now);
  if (drawn) return drawn;
  return html`<span class=${`history__none state--${job.state}`}
    >${icon(MODALITY_ICONS[job.modality])}${(isLive(job) || job.state === "failed") && STATE_WORDS[job.state]}</span
  >`;
}
