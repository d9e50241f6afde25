// A page of an account's workflows.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { statesIn } from "../../../proto/resources/job-filter.ts";
import { WORKFLOW_STATES, type WorkflowResource } from "../../../proto/resources/workflow.ts";
import type { App } from "../../kernel/app.ts";
import { withArchived } from "../../kernel/archive/history.ts";
import { given, pageFields, type PageRequest, readCursor, toPage } from "../../kernel/page.ts";
import { shownState } from "../jobs/rules.ts";
import { type ArchivedWorkflow, joinWorkflow } from "./archive-rules.ts";
import { toWorkflows } from "./resource.ts";
import { findWorkflowsLike, type WorkflowDoc } from "./store.ts";

/** For an account that has more, the next page continues there. */
const MAX_READ = 2_000;

const querySchema = z.object({
  ...pageFields,
  state: z
    .string()
    .refine(
      (text) => statesIn(text).every((state) => (WORKFLOW_STATES as readonly string[]).includes(state)),
      {
        error: `must be one of ${WORKFLOW_STATES.join(", ")}`,
      },
    )
    .optional(),
});

/** Newest first. Errors: invalid_request naming the parameters. */
export async function listWorkflows(
  app: App,
  { accountId, ...asked }: PageRequest & { readonly accountId: string; readonly state?: string },
): Promise<{ workflows: WorkflowResource[]; nextCursor: string }> {
  const { limit, cursor, state } = parseRequest(querySchema, given(asked));
  const beforeId = readCursor(cursor, "wfl_");
  const states = state === undefined ? undefined : statesIn(state);
  const bounds = { limit: limit + 1, maxRead: MAX_READ };
  const live = await findWorkflowsLike(app.mongo.db, { accountId, beforeId, states }, bounds);
  const { found, stoppedAt } = await withArchived<WorkflowDoc | ArchivedWorkflow, string>(
    app,
    live,
    {
      accountId,
      kind: "workflows",
      before: beforeId,
      join: joinWorkflow,
      positionOf: ({ _id }) => _id,
      fits: (workflow) => states?.includes(shownState(workflow)) !== false,
    },
    bounds.limit,
  );
  const { rows, nextCursor } = toPage(found, limit, ({ _id }) => _id, stoppedAt);
  return { workflows: await toWorkflows(app, rows), nextCursor };
}
