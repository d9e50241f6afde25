// /generate: a model, what to make with it, and what that costs before anything is sent.
import type { z } from "zod";
import type { balanceSchema } from "../../../proto/resources/credits.ts";
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { unitParam } from "../../../proto/resources/units.js";
import { csrfField } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { textArea, textField } from "../design/field.ts";
import { count, counted, credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { emptyState, notice } from "../design/notice.ts";
import { type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import { type InputChoices, inputParamFor, inputParamsOf, type WantedInput } from "./ask-inputs.ts";
import { type Draft, type Model, unitsOfDraft } from "./draft.ts";
import { inputField } from "./input-fields.ts";
import { MODALITY_ICONS, MODALITY_WORDS } from "./job-words.ts";
import { paramField, paramsOf } from "./params.ts";
import { GENERATE_PATH, type InputName, modalityAddress, modelAddress } from "./paths.ts";

/** Why the last press of the button made no job. */
export type Refusal = {
  readonly message: string;
  readonly hint: string;
  /** By name of the form's field. */
  readonly fields: ReadonlyMap<string, string>;
};

export type GenerateView = {
  readonly person: Person;
  readonly models: readonly Model[];
  readonly model: Model;
  readonly draft: Draft;
  readonly balance: z.output<typeof balanceSchema>;
  readonly inputs: InputChoices;
  /** Where the person comes to work from an output. */
  readonly wanted?: WantedInput | undefined;
  readonly refusal?: Refusal | undefined;
};

export function generatePage(view: GenerateView): Page {
  const { person, models, model, wanted } = view;
  const takesFiles = inputParamsOf(model).length > 0;
  return {
    title: "Generate",
    person,
    path: GENERATE_PATH,
    styles: ["studio.css"],
    scripts: takesFiles ? ["generate.js", "inputs.js"] : ["generate.js"],
    body: html`<div class="stack stack--loose">
      <h1>Generate</h1>
      <div class="generate">
        <div class="stack stack--loose">
          ${modalityTabs(models, model.modality, wanted)} ${modelChoice(models, model, wanted)}
        </div>
        ${form(view)}
      </div>
    </div>`,
  };
}

/** Where no model is live. */
export function nothingToGenerate(person: Person): Page {
  return {
    title: "Generate",
    person,
    path: GENERATE_PATH,
    body: html`<div class="stack stack--loose">
      <h1>Generate</h1>
      ${emptyState({
        title: "Nothing can be made at the moment",
        body: "No model is live. Your jobs and credits stay as they are.",
        action: linkButton({ href: "/jobs", label: "Your jobs", kind: "quiet" }),
      })}
    </div>`,
  };
}

/** The input goes along to whatever can take it. */
function inputFor(models: readonly Model[], wanted: WantedInput | undefined): InputName | undefined {
  const isTaken = wanted && models.some((model) => inputParamFor(model, wanted.kind));
  return isTaken ? { outputId: wanted.outputId, jobId: wanted.job.job_id } : undefined;
}

function modalityTabs(models: readonly Model[], chosen: Modality, wanted: WantedInput | undefined): Markup {
  const offered = MODALITIES.filter((modality) => models.some((model) => model.modality === modality));
  return html`<nav class="tabs" aria-label="What to make">
    <ul>
      ${offered.map(
        (modality) =>
          html`<li>
            <a
              href=${modalityAddress(
                modality,
                inputFor(
                  models.filter((model) => model.modality === modality),
                  wanted,
                ),
              )}
              aria-current=${modality === chosen ? "true" : undefined}
              >${icon(MODALITY_ICONS[modality])}${MODALITY_WORDS[modality]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function modelChoice(models: readonly Model[], chosen: Model, wanted: WantedInput | undefined): Markup {
  return html`<nav aria-label="Model">
    <ul class="models">
      ${models
        .filter(({ modality }) => modality === chosen.modality)
        .map(
          (model) =>
            html`<li>
              <a
                class="model"
                href=${modelAddress(model.model_slug, inputFor([model], wanted))}
                aria-current=${model.model_slug === chosen.model_slug ? "true" : undefined}
              >
                <span class="model__name">${model.name}</span>
                <span class="model__price">${unitPrice(model)}</span>
                <span class="model__about">${model.description}</span>
              </a>
            </li>`,
        )}
    </ul>
  </nav>`;
}

function form({ person, model, draft, balance, inputs, refusal }: GenerateView): Markup {
  const errorOf = (field: string) => refusal?.fields.get(field);
  const hasCallback = draft.callbackUrl !== "" || errorOf("callback_url") !== undefined;
  const params = paramsOf(model.params_schema);
  const [files, options] = [
    params.filter(({ kind }) => kind === "file"),
    params.filter(({ kind }) => kind !== "file"),
  ];
  return html`<form
    class="generate__form"
    method="post"
    enctype=${files.length > 0 ? "multipart/form-data" : undefined}
    action=${GENERATE_PATH}
    data-per=${model.per}
    data-credits=${model.credits}
    data-available=${balance.available}
    data-units-of=${`param.${unitParam(model.per)}`}
    data-units-default=${params.find(({ name }) => name === unitParam(model.per))?.fallback}
    data-max-prompt=${model.max_prompt_length}
  >
    ${csrfField(person)}
    <input type="hidden" name="idempotency_key" value=${draft.idempotencyKey} autocomplete="off" />
    <input type="hidden" name="model" value=${model.model_slug} />
    ${refusal && refusalNotice(refusal)}
    ${files.map((param) =>
      inputField({
        param,
        value: draft.params.get(param.name) ?? "",
        error: errorOf(param.field),
        pickable: inputs.pickable,
        brought: inputs.brought.get(param.name),
      }),
    )}
    <div class="prompt-field">
      ${textArea({
        name: "prompt",
        label: model.modality === "audio" ? "What to say or play" : "What to show",
        hint: `Up to ${counted(model.max_prompt_length, "character")}.`,
        error: errorOf("prompt"),
        value: draft.prompt,
        rows: 5,
        required: true,
      })}
      <p class="note prompt-count" id="prompt-count" hidden></p>
      <p class="note" id="understood" role="status" hidden></p>
    </div>
    ${
      options.length > 0 &&
      html`<fieldset class="params">
        <legend>Options of ${model.name}</legend>
        ${options.map((param) => paramField(param, draft.params.get(param.name) ?? "", errorOf(param.field)))}
      </fieldset>`
    }
    <details class="more" open=${hasCallback}>
      <summary>More</summary>
      ${textField({
        name: "callback_url",
        label: "Callback URL",
        hint: "Called with a signed POST when the job ends.",
        type: "url",
        value: draft.callbackUrl,
        error: errorOf("callback_url"),
        maxLength: 2048,
        autocomplete: "off",
      })}
    </details>
    ${priceBox(model, draft, balance)}
  </form>`;
}

function priceBox(model: Model, draft: Draft, { available, held }: GenerateView["balance"]): Markup {
  const units = unitsOfDraft(draft, model);
  const price = units === undefined ? undefined : units * model.credits;
  const isShort = price !== undefined && price > available;
  return html`<div class="price card">
    <dl class="price__lines">
      <div>
        <dt>Price</dt>
        <dd>
          <output class="price__total" id="price"
            >${price === undefined ? "Not known yet" : credits(price)}</output
          >
        </dd>
      </div>
      <div>
        <dt>Available</dt>
        <dd>${credits(available)}${held > 0 && `, ${count(held)} more held`}</dd>
      </div>
    </dl>
    <p class="price__short" id="price-short" role="status" hidden=${!isShort}>
      Not enough credits for this. Choose fewer, shorter or a cheaper model, wait for running jobs, or
      <a href=${PACKS_PATH}>buy credits</a>.
    </p>
    ${button({ label: "Generate", id: "generate" })}
    <p class="note">${termsOf(model)}</p>
  </div>`;
}

function termsOf(model: Model): string {
  const usual = counted(Math.max(1, Math.round(model.estimated_seconds)), "second");
  return `${unitPrice(model)}. Held now, charged when it starts, given back in full if it fails. Takes about ${usual}.`;
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

const UNIT_WORDS: Readonly<Record<Model["per"], string>> = {
  generation: "each",
  image: "an image",
  second: "a second",
};

function unitPrice(model: Model): string {
  return `${credits(model.credits)} ${UNIT_WORDS[model.per]}`;
}
