// /workflows/{id}: the drawing of one workflow. While it runs, browser/workflow.js replaces the changed parts; without scripts the page
// reloads itself.
import type { AppError } from "../../../proto/codes.ts";
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import { csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { counted, credits } from "../design/format.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { timeAgo, timeOf } from "../design/time.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { SOURCE_WORDS } from "./job-words.ts";
import type { ModelName } from "./model-names.ts";
import { JOBS_PATH, rebuildAddress, workflowPath, WORKFLOWS_PATH } from "./paths.ts";
import { workflowGraph } from "./workflow-graph.ts";
import { isUnderWay, WORKFLOW_TONES, WORKFLOW_WORDS, workflowStanding } from "./workflow-words.ts";

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
      <div class="workflow-head" id="workflow-head" data-live=${isUnderWay(workflow) ? "yes" : undefined}>
        ${head(workflow, person, now)}
      </div>
      ${workflowGraph(workflow, { now, modelName })}
      <div id="workflow-facts">${facts(workflow)}</div>
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
      ${badge({ label: WORKFLOW_WORDS[state], tone: WORKFLOW_TONES[state] })}
    </div>
    <p class="cluster">
      <span id="workflow-standing" role="status">${workflowStanding(workflow)}</span>
      <span class="note">${timeAgo(ended_at ?? created_at, now)}</span>
    </p>
    ${steps.map(
      ({ id, state: stepState, error }) =>
        stepState === "failed" &&
        notice({ tone: "danger", title: `${id}: ${error?.message ?? "it failed."}`, isNews: false }),
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

function fact(name: string, value: Children): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
