// Where a work will be, as large as it will be, so that nothing on the page moves when it is there.
import type { JobResource, Modality } from "../../../proto/resources/job.ts";
import { type Children, type Markup, html } from "../design/markup.js";

/** In pixels; of a sound there is none. */
export type Shape = { readonly width: number; readonly height: number };

const USUAL: Readonly<Record<Modality, Shape | undefined>> = {
  image: { width: 1024, height: 1024 },
  video: { width: 1280, height: 720 },
  audio: undefined,
};
const MOST_WORKS = 10;

/** What a job's works will be like, by what it was asked for. */
export function shapeOf(modality: Modality, params: JobResource["params"]): Shape | undefined {
  const { width, height } = params;
  const isSaid = typeof width === "number" && typeof height === "number" && width > 0 && height > 0;
  return isSaid && modality !== "audio" ? { width, height } : USUAL[modality];
}

export function countOf({ count }: JobResource["params"]): number {
  return typeof count === "number" && count >= 1 ? Math.min(Math.floor(count), MOST_WORKS) : 1;
}

/** How the works of a job stand on a page: pictures that are higher than wide, or about as high, are kept from filling it. */
export function mediaClass(modality: Modality, count: number, shape: Shape | undefined): string {
  const ratio = shape ? shape.height / shape.width : 0;
  const high = ratio > 1 ? " media--tall" : ratio > 0.7 ? " media--square" : "";
  return `media media--${modality}${count > 1 ? " media--several" : ""}${high}`;
}

/** As many frames as there will be works; `children` stand in the first. */
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

/** Takes the room of a picture of this size, whatever the width of the page. */
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
