// The fields of the Generate form: files, words, shape and the model's own options.
import { MAX_KEEP_DAYS } from "../../../proto/resources/job.ts";
import { checkbox, select, textArea, textField } from "../design/field.ts";
import { counted } from "../design/format.ts";
import { drawing } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import type { InputChoices } from "./ask-inputs.ts";
import { type Aspect, ASPECT_FIELD, aspectsOf, OWN_SIZE, sizeText } from "./aspect.ts";
import { ALL_OR_NOTHING_FIELD, type Draft, type Model, WAIT_FIELDS } from "./draft.ts";
import { inputField } from "./input-fields.ts";
import type { OtherKind } from "./other-kind.ts";
import { type Param, paramField, paramsOf } from "./params.ts";

export type FieldsView = {
  readonly model: Model;
  readonly draft: Draft;
  readonly inputs: InputChoices;
  readonly preview: Understanding;
  /** By name of the form's field. */
  readonly errors: ReadonlyMap<string, string>;
};

export type Understanding = {
  /** What would be drawn, in words. */
  readonly understood: string | undefined;
  /** What the prompt names instead. */
  readonly otherKind: OtherKind | undefined;
};

export function fileFields({ model, draft, inputs, errors }: FieldsView): readonly Markup[] {
  return paramsOf(model.params_schema)
    .filter(({ kind }) => kind === "file")
    .map((param) =>
      inputField({
        param,
        value: draft.params.get(param.name) ?? "",
        error: errors.get(param.field),
        pickable: inputs.pickable,
        brought: inputs.brought.get(param.name),
      }),
    );
}

export function promptField({ model, draft, preview, errors }: FieldsView): Markup {
  return html`<div class="prompt-field">
    ${textArea({
      name: "prompt",
      label: model.modality === "audio" ? "What to say or play" : "What to show",
      error: errors.get("prompt"),
      value: draft.prompt,
      rows: 4,
      required: true,
    })}
    <div class="prompt-field__foot">
      ${understoodLine(preview)}
      <p class="note prompt-count" id="prompt-count">
        Up to ${counted(model.max_prompt_length, "character")}
      </p>
    </div>
  </div>`;
}

/** Always there, so that nothing moves when there is something to say. */
export function understoodLine({ understood, otherKind }: Understanding): Markup {
  return html`<p class="note understood" id="understood" role="status">
    ${understood}${otherKind && html` <a href=${otherKind.address}>Draw it as a ${otherKind.kind}</a>`}
  </p>`;
}

export function optionFields({ model, draft, errors }: FieldsView): Markup | false {
  const params = paramsOf(model.params_schema).filter(({ kind }) => kind !== "file");
  const aspects = aspectsOf(params);
  const options = params.filter((param) => !isSwitch(param) && (aspects.length === 0 || !isSide(param)));
  const fieldOf = (param: Param) => {
    const field = paramField(param, draft.params.get(param.name) ?? "", errors.get(param.field));
    return param.name === "seed" && param.kind === "number" ? withDice(field, param) : field;
  };
  return (
    params.length > 0 &&
    html`<div class="stack" role="group" aria-label=${`Options of ${model.name}`}>
      ${aspects.length > 0 && shapeChoice(aspects, draft, params.filter(isSide).map(fieldOf), errors)}
      ${options.length > 0 && html`<div class="params">${options.map(fieldOf)}</div>`}
    </div>`
  );
}

const START_WITHIN = [
  { value: "", label: "within 24 hours" },
  { value: "3600", label: "within an hour" },
  { value: "600", label: "within 10 minutes" },
  { value: "60", label: "within a minute" },
];

/** What few look for. Open where something of it is chosen. */
export function moreFields({ model, draft, errors }: FieldsView): Markup {
  const error = errors.get("callback_url");
  const switches = paramsOf(model.params_schema).filter(isSwitch);
  const isOn = switches.some(
    ({ name, fallback }) => draft.params.get(name) === "true" && fallback !== "true",
  );
  const isOpen =
    isOn ||
    draft.callbackUrl !== "" ||
    draft.allOrNothing ||
    WAIT_FIELDS.some((name) => draft.waits[name] !== "" || errors.has(name)) ||
    error !== undefined;
  return html`<details class="more" open=${isOpen}>
    <summary>More</summary>
    ${
      paramsOf(model.params_schema).some(({ name }) => name === "count") &&
      checkbox({
        name: ALL_OR_NOTHING_FIELD,
        label: "All or nothing: fail, with a full refund, unless every image is delivered",
        checked: draft.allOrNothing,
      })
    }
    ${switches.map((param) => paramField(param, draft.params.get(param.name) ?? "", errors.get(param.field)))}
    ${select({
      name: "expires_in",
      label: "Give up, with a full refund, if it has not started",
      options: START_WITHIN,
      value: draft.waits.expires_in,
      error: errors.get("expires_in"),
    })}
    ${textField({
      name: "keep_days",
      label: "Days to keep the files",
      hint: "Empty keeps them as long as the service does.",
      type: "number",
      min: 1,
      max: MAX_KEEP_DAYS,
      value: draft.waits.keep_days,
      error: errors.get("keep_days"),
    })}
    ${textField({
      name: "callback_url",
      label: "Webhook URL",
      hint: "Called with a signed POST when the job ends.",
      type: "url",
      value: draft.callbackUrl,
      error,
      maxLength: 2048,
      autocomplete: "off",
    })}
  </details>`;
}

function isSwitch({ kind }: Param): boolean {
  return kind === "switch";
}

function isSide({ name }: Param): boolean {
  return name === "width" || name === "height";
}

/** Shapes by one press; the two numbers are in sight for who wants a size of their own. */
function shapeChoice(
  aspects: readonly Aspect[],
  draft: Draft,
  sides: readonly Markup[],
  errors: ReadonlyMap<string, string>,
): Markup {
  const size = sizeText(draft.params.get("width") ?? "", draft.params.get("height") ?? "");
  const isWrong = errors.has("param.width") || errors.has("param.height");
  const chosen = isWrong ? undefined : aspects.find(({ value }) => value === size);
  return html`<fieldset class="chips">
    <legend class="field__label">Shape</legend>
    <div class="chips__list">
      ${aspects.map(
        ({ value, name, ratio, width, height }) =>
          html`<label class="chip" title=${`${width} × ${height}`}>
            <input
              class="aside-from-sight"
              type="radio"
              name=${ASPECT_FIELD}
              value=${value}
              checked=${value === chosen?.value}
            />
            ${outline(width, height)}<span>${name}</span><span class="chip__aside">${ratio}</span>
          </label>`,
      )}
      <label class="chip">
        <input
          class="aside-from-sight"
          type="radio"
          name=${ASPECT_FIELD}
          value=${OWN_SIZE}
          checked=${!chosen}
        />
        <span>Own size</span>
      </label>
    </div>
    <div class="params chips__own">${sides}</div>
  </fieldset>`;
}

const OUTLINE_SIDE = 16;

function outline(width: number, height: number): Markup {
  const scale = OUTLINE_SIDE / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  return html`<svg
    class="icon"
    viewBox="0 0 20 20"
    width="20"
    height="20"
    aria-hidden="true"
    focusable="false"
    fill="none"
  >
    <rect
      x=${(20 - w) / 2}
      y=${(20 - h) / 2}
      width=${w}
      height=${h}
      rx="2"
      stroke="currentColor"
      stroke-width="1.8"
    />
  </svg>`;
}

/** The dice draws a number; shown by the script, because without one an empty field does the same. */
function withDice(field: Markup, { field: name }: Param): Markup {
  return html`<div class="seed">
    ${field}
    <button class="button button--quiet" type="button" id="dice" data-for=${name} hidden>
      ${dice()}<span class="aside-from-sight">Draw a seed</span>
    </button>
  </div>`;
}

function dice(): Markup {
  return drawing(
    html`<rect x="4" y="4" width="16" height="16" rx="4" stroke="currentColor" stroke-width="1.8" />
      <path
        d="M8.5 8.5v.1m7-.1v.1M12 12v.1m-3.5 3.4v.1m7-.1v.1"
        stroke="currentColor"
        stroke-width="2.4"
        stroke-linecap="round"
      />`,
  );
}
