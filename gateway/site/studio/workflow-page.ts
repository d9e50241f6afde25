// /workflows/{id}: the drawing of one workflow. While it runs, browser/workflow.js replaces the changed parts; without scripts the page
// reloads itself.
import type { AppError } from "../../../proto/codes.ts";
import type { WorkflowResource, WorkflowStepResource } from "../../../proto/resources/workflow.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { counted, credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { fact } from "../design/table.ts";
import { timeAgo, timeOf } from "../design/time.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { firstPicture } from "./job-media.ts";
import {
  MODALITY_ICONS,
  MODALITY_WORDS,
  SOURCE_WORDS,
  STATE_TONES,
  STATE_WORDS,
  isLive,
  percent,
} from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { JOBS_PATH, WORKFLOWS_PATH, jobPath, rebuildAddress, workflowPath } from "./paths.ts";
import { type Layout, layOut } from "./workflow-layout.ts";
import { isUnderWay, workflowStanding } from "./workflow-words.ts";

const REFRESH_SECONDS = 3;

export type WorkflowView = {
  person: Person;
  workflow: WorkflowResource;
  modelName: ModelName;
  now: Date;
  /** Why the person's last action was refused. */
  refusal?: AppError;
};

export function workflowPage({ person, workflow, modelName, now, refusal }: WorkflowView): Page {
  return {
    title: titleOf(workflow),
    person,
    path: workflowPath(workflow.workflow_id),
    styles: ["studio.css", "workflow.css"],
    scripts: ["workflow.js"],
    ...(isUnderWay(workflow) && {
      head: html`<noscript><meta http-equiv="refresh" content=${String(REFRESH_SECONDS)} /></noscript>`,
    }),
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb">
        <a href=${JOBS_PATH}>Jobs</a> / <a href=${WORKFLOWS_PATH}>Workflows</a>
      </nav>
      ${refusal && refusalNotice(refusal)}
      <div class="stack stack--snug" id="workflow-head" data-live=${isUnderWay(workflow) ? "yes" : undefined}>
        ${head(workflow, person, now)}
      </div>
      <div class="workflow-parts">
        ${workflowGraph(workflow, { now, modelName })}
        <div id="workflow-facts">${facts(workflow)}</div>
      </div>
    </div>`,
  };
}

function titleOf({ steps, metadata }: WorkflowResource): string {
  return metadata["name"] || `Workflow of ${counted(steps.length, "step")}`;
}

function head(workflow: WorkflowResource, person: Person, now: Date): Markup {
  const { state, steps, created_at, ended_at } = workflow;
  return html`<div class="cluster">
      <h1>${titleOf(workflow)}</h1>
      ${badge({ label: STATE_WORDS[state], tone: STATE_TONES[state] })}
    </div>
    <p class="cluster">
      <span id="workflow-standing" role="status">${workflowStanding(workflow)}</span>
      <span class="note">${timeAgo(ended_at ?? created_at, now)}</span>
    </p>
    ${steps.map(
      ({ id, state: stepState, error }) =>
        stepState === "failed" &&
        standingNotice({ tone: "danger", title: `${id}: ${error?.message ?? "it failed."}` }),
    )}
    <div class="cluster">
      ${(workflow.cancellable || state === "cancelling") && cancelForm(workflow, person)}
      ${linkButton({ href: rebuildAddress(workflow.workflow_id), label: "Edit and run again", kind: "quiet" })}
      ${linkButton({ href: rebuildAddress(workflow.workflow_id, "code"), label: "Get the code", kind: "quiet" })}
    </div>`;
}

function cancelForm({ workflow_id, state }: WorkflowResource, person: Person): Markup {
  const isStopping = state === "cancelling";
  return html`<form method="post" action=${`${workflowPath(workflow_id)}/cancel`}>
    ${csrfField(person)}
    ${button({ label: isStopping ? "Stopping…" : "Cancel this workflow", kind: "danger", id: "cancel", isDisabled: isStopping })}
  </form>`;
}

function facts(workflow: WorkflowResource): Markup {
  const { callback, metadata } = workflow;
  return html`<section class="stack" aria-labelledby="facts-heading">
    <h2 id="facts-heading">Details</h2>
    <dl class="fact-rows">
      ${fact("Price", credits(workflow.credits_reserved))}
      ${fact("Charged", credits(workflow.credits_charged))}
      ${fact("Made through", SOURCE_WORDS[workflow.source] ?? workflow.source)}
      ${fact("Asked for", timeOf(workflow.created_at))}
      ${workflow.ended_at !== null && fact("Ended", timeOf(workflow.ended_at))}
      ${callback !== null && fact("Webhook", html`<code>${callback.url}</code>`)}
      ${Object.entries(metadata).map(([name, value]) => fact(name, value))}
      ${fact("Workflow", html`<code>${workflow.workflow_id}</code>`)}
    </dl>
  </section>`;
}

type Step = WorkflowStepResource;

/** The size of an arrowhead in rem. */
const POINT = 0.375;

type Shown = { readonly now: Date; readonly modelName: ModelName };

function workflowGraph({ steps }: WorkflowResource, shown: Shown): Markup {
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
  const drawn = firstPicture(step, now);
  if (drawn) return drawn;
  const { state, modality, progress, id } = step;
  return html`${icon(MODALITY_ICONS[modality])}<span class="clamp step__words">${words(step)}</span> ${
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
