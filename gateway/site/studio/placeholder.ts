// Placeholders in the size of the future work, so that nothing on the page moves when it arrives.
import type { JobResource, Modality } from "../../../proto/resources/job.ts";
import { type Children, type Markup, html } from "../design/markup.js";

/** In pixels; sounds have no shape. */
export type Shape = { readonly width: number; readonly height: number };

const USUAL: Readonly<Record<Modality, Shape | undefined>> = {
  image: { width: 1024, height: 1024 },
  video: { width: 1280, height: 720 },
  audio: undefined,
};
const MOST_WORKS = 10;

/** The shape of a job's works according to its params. */
export function shapeOf(modality: Modality, params: JobResource["params"]): Shape | undefined {
  const { width, height } = params;
  const isSaid = typeof width === "number" && typeof height === "number" && width > 0 && height > 0;
  return isSaid && modality !== "audio" ? { width, height } : USUAL[modality];
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
