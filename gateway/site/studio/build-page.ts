// /workflows/new: the steps of a workflow with their fields, the models that may follow, the price of all, and the same as code. Every change
// of the steps is a press that shows the page again, so it works without scripts. With them, prices and code follow the fields.
import type { AppError } from "../../../proto/codes.ts";
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { priceInWords, pricingOf } from "../../../proto/resources/pricing.ts";
import { MAX_STEPS, MIN_STEPS } from "../../../proto/resources/workflow.ts";
import type { CodeSample } from "../../answers/code-samples.ts";
import { csrfField } from "../account/account-frame.ts";
import { button } from "../design/button.ts";
import { checkbox, select, textArea, textField } from "../design/field.ts";
import { credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { codePanel } from "./code-panel.ts";
import { type Model, newDraft, priceOfDraft } from "./draft.ts";
import { MODALITY_ICONS } from "./job-words.ts";
import { labelOf, type Param, paramField, paramsOf } from "./params.ts";
import { BUILD_PATH, JOBS_PATH, WORKFLOWS_PATH } from "./paths.ts";
import { availableLine, type Balance, type Price, priceLine, shortLine } from "./price-box.ts";
import { giversOf, issuesOfStep, sourceFor, type StepDraft, type WorkflowDraft } from "./workflow-draft.ts";

const MAX_NAME = 100;

export type BuildView = {
  readonly person: Person;
  readonly models: readonly Model[];
  readonly workflow: WorkflowDraft;
  /** Of each step. */
  readonly prices: readonly Price[];
  readonly balance: Balance;
  readonly code: readonly CodeSample[];
  readonly isCodeOpen: boolean;
  /** Why the last press made no workflow. */
  readonly refusal?: AppError | undefined;
};

/** Undefined as long as one of them is. */
function totalOf(prices: readonly Price[]): Price {
  return prices.reduce(
    (sum, price) => (sum === undefined || price === undefined ? undefined : sum + price),
    0,
  );
}

/** The button that Enter in a field presses: the first of the form. */
const ENTER = html`<button
  class="aside-from-sight"
  type="submit"
  tabindex="-1"
  aria-hidden="true"
  formnovalidate
>
  Update
</button>`;

export function buildPage(view: BuildView): Page {
  const { person, workflow, code, isCodeOpen, refusal } = view;
  const total = totalOf(view.prices);
  return {
    title: "Build a workflow",
    person,
    path: BUILD_PATH,
    styles: ["studio.css", "generate.css", "workflow.css"],
    scripts: ["build.js", "copy.js"],
    body: html`<div class="stack stack--loose build">
      <nav aria-label="Breadcrumb">
        <a href=${JOBS_PATH}>Jobs</a> / <a href=${WORKFLOWS_PATH}>Workflows</a>
      </nav>
      <div class="stack">
        <h1>Build a workflow</h1>
        <p class="lead">
          Steps that build on each other, run with one press. Each is charged when it starts, and refunded in
          full if it fails.
        </p>
      </div>
      ${refusal && refusedNotice(refusal)}
      <form class="stack stack--loose" id="build" method="post" action=${BUILD_PATH}>
        ${csrfField(person)}
        <input type="hidden" name="idempotency_key" value=${workflow.idempotencyKey} autocomplete="off" />
        ${ENTER}
        ${textField({ name: "name", label: "Name", value: workflow.name, maxLength: MAX_NAME, autocomplete: "off" })}
        ${workflow.steps.map((step, place) => stepCard(view, step, place))} ${nextStep(view)}
        ${workflow.steps.length > 0 && actionBar(view, total)}
      </form>
      ${
        workflow.steps.length >= MIN_STEPS &&
        html`<details class="more" id="as-code" open=${isCodeOpen}>
          <summary>The same as code</summary>
          ${codePanel(code, { isOpen: true, waits: false })}
        </details>`
      }
    </div>`,
  };
}

function refusedNotice(refusal: AppError): Markup {
  return refusal.issues
    ? notice({
        tone: "danger",
        title: "Something in the steps is not right",
        body: "It is marked below. Nothing was made or charged.",
      })
    : refusalNotice(refusal);
}

function stepCard(view: BuildView, step: StepDraft, place: number): Markup {
  const { id, model, draft } = step;
  const at = `${place}.`;
  const errors = issuesOfStep(view.refusal?.issues ?? [], place, step);
  const before = view.workflow.steps.slice(0, place);
  const params = paramsOf(model.params_schema);
  const fieldOf = (param: Param) => {
    const [value, error] = [draft.params.get(param.name) ?? "", errors.get(param.field)];
    const own = { ...param, field: at + param.field };
    return param.kind === "file" ? fileField(own, value, error, before) : paramField(own, value, error);
  };
  const options = params.filter(({ kind }) => kind !== "file");
  const givers = giversOf(step);
  const price = view.prices[place];
  return html`<section class="card stack" id=${`step-${place}`} aria-labelledby=${`${at}heading`}>
    <div class="cluster cluster--apart">
      <h2 class="build__title" id=${`${at}heading`}>
        ${icon(MODALITY_ICONS[model.modality])} ${place + 1}. ${model.name}
      </h2>
      <span class="note" id=${`${at}price`}
        ><code>${id}</code> · ${price === undefined ? "price not known yet" : credits(price)}</span
      >
    </div>
    <input type="hidden" name=${`${at}model`} value=${model.model_slug} />
    <input type="hidden" name=${`${at}id`} value=${id} />
    ${errors.has("") && html`<p class="field__error">${errors.get("")}</p>`}
    ${params.filter(({ kind }) => kind === "file").map(fieldOf)}
    ${textArea({
      name: `${at}prompt`,
      label: model.modality === "audio" ? "What to say or play" : "What to show",
      error: errors.get("prompt"),
      value: draft.prompt,
      rows: 3,
      required: true,
    })}
    ${before
      .filter((earlier) => !givers.includes(earlier.id))
      .map((earlier) =>
        checkbox({
          name: `${at}after`,
          value: earlier.id,
          label: `Wait for ${earlier.id}`,
          checked: step.after.includes(earlier.id),
        }),
      )}
    ${
      options.length > 0 &&
      html`<details class="more" open=${options.some(({ field }) => errors.has(field))}>
        <summary>Options<span class="aside-from-sight"> of ${id}</span></summary>
        <div class="params">${options.map(fieldOf)}</div>
      </details>`
    }
    <div>
      <button
        class="button button--quiet button--small"
        type="submit"
        name="remove"
        value=${String(place)}
        formnovalidate
      >
        Remove<span class="aside-from-sight"> ${id}</span>
      </button>
    </div>
  </section>`;
}

/** A file of an earlier step, or the one that the step has. */
function fileField(
  param: Param,
  value: string,
  error: string | undefined,
  before: readonly StepDraft[],
): Markup {
  const { field: name, required, accepts } = param;
  const made = before
    .filter(({ model }) => accepts.includes(model.modality))
    .map(({ id }) => ({ value: `step:${id}`, label: `The file of ${id}` }));
  const isOther = value !== "" && !made.some((option) => option.value === value);
  return select({
    name,
    label: labelOf(param),
    error,
    value,
    options: [
      ...(required && value !== "" ? [] : [{ value: "", label: "Not chosen" }]),
      ...made,
      ...(isOther ? [{ value, label: "The same file as before" }] : []),
    ],
  });
}

const FROM_IT: Readonly<Record<Modality, string>> = {
  image: "A picture from it",
  video: "A clip from it",
  audio: "A sound from it",
};
const NEW: Readonly<Record<Modality, string>> = {
  image: "A picture",
  video: "A clip",
  audio: "A voice",
};

function nextStep({ models, workflow: { steps } }: BuildView): Children {
  if (steps.length === MAX_STEPS) return undefined;
  const following = models.flatMap((model) => {
    const source = sourceFor(model, steps);
    const isLacking =
      !source && paramsOf(model.params_schema).some(({ kind, required }) => kind === "file" && required);
    return isLacking ? [] : [{ model, words: (source ? FROM_IT : NEW)[model.modality] }];
  });
  const groups = [FROM_IT, NEW].flatMap((words) => MODALITIES.map((modality) => words[modality]));
  return html`<section class="stack" aria-labelledby="next-heading">
    <h2 id="next-heading">${steps.length === 0 ? "Begin with" : "Then"}</h2>
    ${groups.map((words) => {
      const own = following.filter((one) => one.words === words);
      return (
        own.length > 0 &&
        html`<h3 class="build__kind">${words}</h3>
          <ul class="cluster">
            ${own.map(({ model }) => html`<li>${addButton(model, steps.length)}</li>`)}
          </ul>`
      );
    })}
  </section>`;
}

/** Leads to the new step. */
function addButton(model: Model, place: number): Markup {
  const price = priceOfDraft(newDraft(model), model);
  return html`<button
    class="button button--quiet"
    type="submit"
    name="add"
    value=${model.model_slug}
    formaction=${`${BUILD_PATH}#step-${place}`}
    formnovalidate
  >
    ${model.name}
    <span class="note">${price === undefined ? priceInWords(pricingOf(model)) : credits(price)}</span>
  </button>`;
}

function actionBar({ workflow, balance }: BuildView, total: Price): Markup {
  return html`<div class="action-bar">
      <p class="action-bar__price">${priceLine(total)} ${availableLine(balance)}</p>
      ${
        workflow.steps.length >= MIN_STEPS
          ? button({ label: "Run all", name: "do", value: "run" })
          : html`<span class="note">Add a second step</span>`
      }
    </div>
    ${shortLine(total, balance)}
    <noscript
      ><button class="button button--quiet" type="submit" name="do" value="price" formnovalidate>
        Check price and code
      </button></noscript
    >`;
}
