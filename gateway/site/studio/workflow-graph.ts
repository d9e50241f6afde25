// Draws a workflow: a card for each step with a link to its job, and lines to the steps that need it. Each part has an id, so that
// browser/workflow.js replaces only changed parts. On narrow screens each card names its predecessors instead.
import type { WorkflowResource, WorkflowStepResource } from "../../../proto/resources/workflow.ts";
import { badge } from "../design/badge.ts";
import { credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { firstThumbnail } from "./job-media.ts";
import { isLive, MODALITY_ICONS, MODALITY_WORDS, percent, STATE_TONES, STATE_WORDS } from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { jobPath } from "./paths.ts";
import { type Layout, layOut } from "./workflow-layout.ts";

type Step = WorkflowStepResource;

/** The size of an arrowhead in rem. */
const POINT = 0.375;

type Shown = { readonly now: Date; readonly modelName: ModelName };

export function workflowGraph({ steps }: WorkflowResource, shown: Shown): Markup {
  const layout = layOut(steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return html`<div class="graph-frame" role="group" aria-label="Steps" tabindex="0">
    <div class="graph">
      <div class="graph__lines" id="workflow-lines">${lines(layout, byId)}</div>
      ${layout.columns.map(
        (slots) =>
          html`<div class="graph__column">
            ${slots.map(({ kind, id }) => {
              const step = kind === "step" ? byId.get(id) : undefined;
              return step
                ? html`<div class="graph__step" id=${`step-${id}`}>${card(step, shown)}</div>`
                : html`<div class="graph__lane"></div>`;
            })}
          </div>`,
      )}
    </div>
  </div>`;
}

function lines({ lines: drawn, width, height }: Layout, steps: ReadonlyMap<string, Step>): Markup {
  return html`<svg
    width=${`${width}rem`}
    height=${`${height}rem`}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
    focusable="false"
    fill="none"
  >
    ${drawn.map(({ from, path, isEnd }) => {
      const isDone = steps.get(from)?.state === "completed";
      return html`<g class=${isDone ? "graph__line graph__line--done" : "graph__line"}>
        <path d=${path} />${isEnd && html`<path d=${pointAt(path)} />`}
      </g>`;
    })}
  </svg>`;
}

/** Where a line ends. */
function pointAt(path: string): string {
  const [x = 0, y = 0] = path.split(" ").slice(-2).map(Number);
  return `M${x - POINT} ${y - POINT}L${x} ${y}L${x - POINT} ${y + POINT}`;
}

function card(step: Step, { now, modelName }: Shown): Markup {
  return html`<a class=${`step step--${step.state}`} href=${jobPath(step.job_id)}>
    <span class=${`step__picture step__picture--${step.modality}`}>${picture(step, now)}</span>
    <span class="step__head">
      <strong class="step__id">${step.id}</strong>
      ${badge({ label: STATE_WORDS[step.state], tone: STATE_TONES[step.state] })}
    </span>
    <span class="step__facts note">${modelName(step.model_slug)} · ${price(step)}</span>
    ${step.needs.length > 0 && html`<span class="step__needs note">After ${step.needs.join(", ")}</span>`}
  </a>`;
}

/** The output of the step; before that its progress, or what it waits for. */
function picture(step: Step, now: Date): Children {
  const thumbnail = firstThumbnail(step, now);
  if (thumbnail) return thumbnail;
  const { state, modality, progress, id } = step;
  return html`${icon(MODALITY_ICONS[modality])}<span class="step__words">${words(step)}</span> ${
      isLive(step) &&
      state !== "reserved" &&
      html`<progress max="1" value=${progress ?? undefined} aria-label=${`Progress of ${id}`}></progress>`
    }`;
}

function words({ state, waits_for, modality, progress, error }: Step): string {
  if (state === "failed") return error?.message ?? "It failed.";
  if (state === "completed") return MODALITY_WORDS[modality];
  if (state === "running" && progress !== null) return `${percent(progress)} done`;
  if (state === "reserved" && waits_for.length > 0) return `Waits for ${waits_for.join(", ")}`;
  return state === "reserved" ? "Next in line" : STATE_WORDS[state];
}

/** Credits are held until the step starts, then charged; refunded credits are not shown. */
function price({ state, credits_reserved: reserved, credits_charged: charged }: Step): string {
  return state === "reserved" ? `${credits(reserved)} held` : credits(charged);
}
