// Placeholders in the size of the future work, so that nothing on the page moves when it arrives.
import type { JobResource, Modality } from "../../../proto/resources/job.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { fractionDone, progressWords } from "./job-words.ts";

/** In pixels; sounds have no shape. */
export type Shape = { readonly width: number; readonly height: number };

const USUAL: Readonly<Record<Modality, Shape | undefined>> = {
  image: { width: 1024, height: 1024 },
  video: { width: 1280, height: 720 },
  audio: undefined,
};
const MAX_SIDE = 4096;
const MOST_WORKS = 10;

/** The shape of a job's works according to its params: models use width and height, a size, or a ratio. */
export function shapeOf(
  modality: Modality,
  { width, height, size, aspect_ratio: ratio }: JobResource["params"],
): Shape | undefined {
  const usual = USUAL[modality];
  const said = size ?? ratio;
  const [, first = "", second = ""] =
    /^(\d+)\s*[x×:]\s*(\d+)$/.exec(typeof said === "string" ? said : "") ?? [];
  if (!usual) return undefined;
  const scale = size === undefined ? usual.width / Math.max(1, Number(first)) : 1;
  return {
    width: side(width) ?? side(Math.round(Number(first) * scale)) ?? usual.width,
    height: side(height) ?? side(Math.round(Number(second) * scale)) ?? usual.height,
  };
}

function side(value: unknown): number | undefined {
  return typeof value === "number" && value >= 1 && value <= MAX_SIDE ? value : undefined;
}

export function countOf({ count }: JobResource["params"]): number {
  return typeof count === "number" && count >= 1 ? Math.min(Math.floor(count), MOST_WORKS) : 1;
}

/** By the most that their height is of their width. */
const SHAPES = [
  ["wide", 0.6],
  ["landscape", 0.8],
  ["square", 1],
  ["portrait", 1.4],
  ["tall", Infinity],
] as const;

/** The CSS class of a job's works; what is high is limited in width so that it fits the window. */
export function mediaClass(modality: Modality, count: number, shape: Shape | undefined): string {
  const [name] = (shape && SHAPES.find(([, most]) => shape.height / shape.width <= most)) ?? [];
  return `media media--${modality}${count > 1 ? " media--several" : ""}${name ? ` media--${name}` : ""}`;
}

/** A frame for each work that is being made, with the progress in the first. */
export function inTheMaking(job: JobResource): Markup {
  return placeholder(job.modality, {
    params: job.params,
    children: html`<progress max="1" value=${fractionDone(job)} aria-label="Progress"></progress>
      <p>${progressWords(job)}</p>`,
  });
}

/** One frame for each expected work; `children` are in the first. */
export function placeholder(
  modality: Modality,
  { params, children }: { params: JobResource["params"]; children: Children },
): Markup {
  const [shape, count] = [shapeOf(modality, params), countOf(params)];
  return html`<div class=${mediaClass(modality, count, shape)}>
    ${Array.from({ length: count }, (_, i) => {
      return html`<div class="media__item">
        <div class=${`frame frame--${modality}`}>
          ${shape && frameSize(shape)}
          <div class="frame__words">${i === 0 && children}</div>
        </div>
        <div class="frame-caption"></div>
      </div>`;
    })}
  </div>`;
}

/** Occupies the space of a picture of this size at any page width. */
function frameSize({ width, height }: Shape): Markup {
  return html`<svg
    class="frame__size"
    viewBox=${`0 0 ${width} ${height}`}
    width=${width}
    height=${height}
    aria-hidden="true"
    focusable="false"
  ></svg>`;
}
