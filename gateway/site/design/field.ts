// Form fields: label, control, hint and error, linked for screen readers.
import { type Markup, html } from "./markup.js";

type Common = {
  /** Used as the id as well. */
  name: string;
  label: string;
  hint?: string | undefined;
  /** Why the submitted value was refused. */
  error?: string | undefined;
  required?: boolean;
};

type TextOptions = Common & {
  type?: "text" | "email" | "search" | "url" | "number" | "date" | "password";
  value?: string | number | undefined;
  placeholder?: string;
  autocomplete?: string;
  maxLength?: number;
  min?: string | number | undefined;
  max?: string | number | undefined;
  step?: string | number | undefined;
  inputMode?: "numeric";
  /** The field receives the focus when the page opens. */
  isFirst?: boolean;
};

export function textField({
  type = "text",
  value,
  placeholder,
  autocomplete,
  maxLength,
  min,
  max,
  step,
  inputMode,
  isFirst,
  ...common
}: TextOptions): Markup {
  const { name, required } = common;
  return around(
    common,
    html`<input
      class="input"
      id=${name}
      name=${name}
      type=${type}
      value=${value}
      placeholder=${placeholder}
      autocomplete=${autocomplete}
      maxlength=${maxLength}
      min=${min}
      max=${max}
      step=${step}
      inputmode=${inputMode}
      autofocus=${isFirst}
      required=${required}
      ...${described(common)}
    />`,
  );
}

export function textArea({
  value,
  rows = 4,
  maxLength,
  ...common
}: Common & { value?: string; rows?: number; maxLength?: number }): Markup {
  const { name, required } = common;
  return around(
    common,
    html`<textarea
      class="input"
      id=${name}
      name=${name}
      rows=${rows}
      maxlength=${maxLength}
      required=${required}
      ...${described(common)}
    >
${value}</textarea>`,
  );
}

export type Option = { value: string; label: string };

export function select({
  options,
  value,
  ...common
}: Common & { options: readonly Option[]; value?: string | undefined }): Markup {
  const { name } = common;
  return around(
    // A choice always has a value.
    { ...common, required: true },
    html`<select class="input" id=${name} name=${name} ...${described(common)}>
      ${options.map((option) => html`<option value=${option.value} selected=${option.value === value}>${option.label}</option>`)}
    </select>`,
  );
}

/** A choice between a few options that are all visible. */
export function radioGroup({
  name,
  label,
  hint,
  error,
  options,
  value,
}: Common & { options: readonly (Option & { hint?: string })[]; value?: string }): Markup {
  return html`<fieldset class="field field--group" aria-describedby=${descriptionIds({ name, hint, error })}>
    <legend class="field__label">${label}</legend>
    ${hint && html`<p class="note field__hint" id=${`${name}-hint`}>${hint}</p>`}
    ${options.map(
      (option) =>
        html`<label class="choice">
          <input type="radio" name=${name} value=${option.value} checked=${option.value === value} />
          <span>${option.label}${option.hint && html`<span class="choice__hint">${option.hint}</span>`}</span>
        </label>`,
    )}
    ${error && html`<p class="field__error" id=${`${name}-error`}>${error}</p>`}
  </fieldset>`;
}

export function checkbox({
  name,
  label,
  value = "1",
  checked = false,
}: {
  name: string;
  label: string;
  value?: string;
  checked?: boolean;
}): Markup {
  return html`<label class="choice">
    <input type="checkbox" name=${name} value=${value} checked=${checked} /><span>${label}</span>
  </label>`;
}

function around({ name, label, hint, error, required = false }: Common, control: Markup): Markup {
  return html`<div class="field">
    <label class="field__label" for=${name}>${labelWords(label, required)}</label>
    ${hint && html`<p class="note field__hint" id=${`${name}-hint`}>${hint}</p>`} ${control}
    ${error && html`<p class="field__error" id=${`${name}-error`}>${error}</p>`}
  </div>`;
}

/** The space between the words is needed for screen readers. */
export function labelWords(label: string, required: boolean): Markup {
  return html`${label}${!required && html`${" "}<span class="field__optional">optional</span>`}`;
}

type Described = Pick<Common, "name" | "hint" | "error">;

function described(field: Described): Record<string, string | undefined> {
  return {
    "aria-describedby": descriptionIds(field),
    "aria-invalid": field.error === undefined ? undefined : "true",
  };
}

function descriptionIds({ name, hint, error }: Described): string | undefined {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(" ");
}
