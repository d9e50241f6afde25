// /workflows: the workflows of the account, newest first.
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import { badge } from "../design/badge.ts";
import { linkButton } from "../design/button.ts";
import { count } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeAgo } from "../design/time.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { STATE_TONES, STATE_WORDS } from "./job-words.ts";
import { BUILD_PATH, workflowPath, WORKFLOWS_PATH } from "./paths.ts";
import { stepsDone } from "./workflow-words.ts";
import { worksNav } from "./works-nav.ts";

/** With more steps, only their number is shown. */
const NAMED_STEPS = 5;

export type WorkflowsView = {
  person: Person;
  workflows: readonly WorkflowResource[];
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  now: Date;
};

export function workflowsPage({ person, workflows, cursor, nextCursor, now }: WorkflowsView): Page {
  return {
    title: "Workflows",
    person,
    path: WORKFLOWS_PATH,
    styles: ["studio.css", "works.css"],
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Workflows</h1>
        <div class="cluster">
          ${worksNav("workflows")} ${linkButton({ href: BUILD_PATH, label: "Build a workflow" })}
        </div>
      </div>
      ${workflows.length > 0 ? list(workflows, now) : nothing(cursor)} ${pages(cursor, nextCursor)}
    </div>`,
  };
}

function list(workflows: readonly WorkflowResource[], now: Date): Markup {
  return table({
    caption: "Newest first",
    columns: ["Workflow", "State", "How far", { label: "Credits", isNumber: true }, "Asked for"],
    rows: workflows.map((workflow) => [
      html`<a class="job-link" href=${workflowPath(workflow.workflow_id)}
        >${workflow.metadata["name"] || stepNames(workflow)}</a
      >`,
      badge({ label: STATE_WORDS[workflow.state], tone: STATE_TONES[workflow.state] }),
      stepsDone(workflow),
      count(workflow.credits_charged),
      timeAgo(workflow.created_at, now),
    ]),
  });
}

function stepNames({ steps }: WorkflowResource): string {
  const names = steps.slice(0, NAMED_STEPS).map(({ id }) => id);
  const more = steps.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function nothing(cursor: string): Markup {
  return cursor === ""
    ? emptyState({
        title: "No workflows yet",
        body: "Several jobs that build on each other, sent as one request: a picture, the clip made of it, the voice over both. Build one here or from a work of yours; programs and assistants send them too.",
        action: linkButton({ href: "/docs/workflows", label: "How to run one" }),
      })
    : emptyState({
        title: "There are no older ones",
        body: "You have seen them all.",
        action: linkButton({ href: WORKFLOWS_PATH, label: "Newest", kind: "quiet" }),
      });
}

function pages(cursor: string, nextCursor: string): Markup | false {
  if (cursor === "" && nextCursor === "") return false;
  return html`<nav class="cluster" aria-label="Pages">
    ${cursor !== "" && linkButton({ href: WORKFLOWS_PATH, label: "Newest", kind: "quiet" })}
    ${nextCursor !== "" && linkButton({ href: `${WORKFLOWS_PATH}?cursor=${encodeURIComponent(nextCursor)}`, label: "Older", kind: "quiet" })}
  </nav>`;
}
