// Fields for params that take a file: upload one, drop or paste it, choose an own output, or enter an address. Without scripts all of it is
// one form; browser/inputs.js uploads a file immediately and shows it.
import type { Modality } from "../../../proto/resources/job.ts";
import { labelWords, textField } from "../design/field.ts";
import { label } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { type ShownThumbnail, thumbnailImage } from "./job-media.ts";
import type { Param } from "./params.ts";

export const addressField = (param: string): string => `param.${param}`;
export const fileField = (param: string): string => `file.${param}`;
export const pickField = (param: string): string => `pick.${param}`;

/** An output of the person that fits the param. */
export type Pickable = {
  readonly outputId: string;
  readonly name: string;
  readonly kind: Modality;
  readonly thumbnail: ShownThumbnail | undefined;
};

/** A file that was uploaded before, in words. */
export type Brought = { readonly uploadId: string; readonly words: string };

export type InputField = {
  readonly param: Param;
  readonly value: string;
  readonly error: string | undefined;
  readonly pickable: readonly Pickable[];
  readonly brought: Brought | undefined;
};

const KIND_WORDS: Readonly<Record<Modality, { file: string; formats: string; types: string }>> = {
  image: {
    file: "picture",
    formats: "PNG, JPEG, WebP, AVIF or GIF, up to 25 MB",
    types: "image/png,image/jpeg,image/webp,image/avif,image/gif",
  },
  audio: { file: "sound", formats: "WAV, MP3, FLAC, AAC or M4A, up to 50 MB", types: "audio/*" },
  video: { file: "clip", formats: "MP4 or WebM, up to 200 MB", types: "video/mp4,video/webm" },
};

export function inputField({ param, value, error, pickable, brought }: InputField): Markup {
  const { name, accepts } = param;
  const fitting = pickable.filter(({ kind }) => accepts.includes(kind));
  const picked = fitting.find(({ outputId }) => outputId === value);
  const isTyped = value !== "" && !picked && brought?.uploadId !== value;
  const id = fileField(name);
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  return html`<fieldset class="input-field" data-input=${name}>
    <legend class="field__label">${labelWords(label(name), param.required)}</legend>
    ${param.hint !== undefined && html`<p class="note field__hint">${param.hint}</p>`}
    <div class="input-field__zone">
      <div class="input-field__chosen" role="status">${chosen(picked, brought, isTyped ? value : "")}</div>
      <div class="field">
        <label class="field__label" for=${id}>${`Choose a ${kindsInWords(accepts)}`}</label>
        <p class="note field__hint" id=${hintId}>
          ${`${accepts.map((kind) => KIND_WORDS[kind].formats).join("; ")}. `}
          <span class="input-field__drop" hidden>Or drop it here, or paste it.</span>
        </p>
        <input
          class="input"
          type="file"
          id=${id}
          name=${id}
          accept=${accepts.map((kind) => KIND_WORDS[kind].types).join(",")}
          aria-describedby=${`${hintId} ${errorId}`}
          aria-invalid=${error === undefined ? undefined : "true"}
        />
        <p class="field__error" id=${errorId} role="alert" hidden=${error === undefined}>${error}</p>
      </div>
    </div>
    ${fitting.length > 0 && picks(name, fitting, picked)}
    <details class="more" open=${isTyped}>
      <summary>By address</summary>
      ${textField({
        name: addressField(name),
        label: "Address",
        hint: "https://…, or the id of an upload or of an output of yours.",
        value: picked ? "" : value,
        autocomplete: "off",
        maxLength: 2048,
      })}
    </details>
  </fieldset>`;
}

function chosen(picked: Pickable | undefined, brought: Brought | undefined, typed: string): Markup | false {
  if (picked) return html`${picture(picked)}<span>${`Chosen: ${picked.name}`}</span>`;
  if (brought) return html`${icon("check")}<span>${`Chosen: ${brought.words}`}</span>`;
  return typed !== "" && html`${icon("check")}<span>${`Chosen: ${typed}`}</span>`;
}

function picks(param: string, fitting: readonly Pickable[], picked: Pickable | undefined): Markup {
  const name = pickField(param);
  return html`<details class="more" open=${picked !== undefined}>
    <summary>One of my outputs</summary>
    <div class="picks" role="radiogroup" aria-label="One of my outputs">
      <label class="pick">
        <input type="radio" name=${name} value="" checked=${picked === undefined} /><span class="pick__name"
          >None of these</span
        >
      </label>
      ${fitting.map(
        (output) =>
          html`<label class="pick">
            <input
              type="radio"
              name=${name}
              value=${output.outputId}
              checked=${output.outputId === picked?.outputId}
            />${picture(output)}<span class="pick__name">${output.name}</span>
          </label>`,
      )}
    </div>
  </details>`;
}

/** The description is beside the picture. */
function picture({ thumbnail }: Pickable): Markup | false {
  return thumbnail !== undefined && thumbnailImage(thumbnail, "pick__picture");
}

function kindsInWords(accepts: readonly Modality[]): string {
  return accepts.map((kind) => KIND_WORDS[kind].file).join(" or ");
}
