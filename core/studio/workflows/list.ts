// A page of an account's workflows.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { statesIn } from "../../../proto/resources/job-filter.ts";
import { WORKFLOW_STATES, type WorkflowResource } from "../../../proto/resources/workflow.ts";
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { given, pageFields, type PageRequest, readCursor, toPage } from "../../kernel/page.ts";
import type { ArchivedWorkflow } from "./archive-rules.ts";
import { listArchivedWorkflows } from "./archived-workflows.ts";
import { toWorkflows } from "./resource.ts";
import { findWorkflowsLike, type WorkflowDoc, type WorkflowFilter } from "./store.ts";

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
  const { found, stoppedAt } = await findWholeHistory(
    app,
    {
      accountId,
      beforeId: readCursor(cursor, "wfl_"),
      states: state === undefined ? undefined : statesIn(state),
    },
    limit + 1,
  );
  const { rows, nextCursor } = toPage(found, limit, ({ _id }) => _id, stoppedAt);
  return { workflows: await toWorkflows(app, rows), nextCursor };
}

/** Live workflows first, then archived ones: workflows only ever move from the former to the latter, the oldest first. */
async function findWholeHistory(
  app: App,
  filter: WorkflowFilter,
  limit: number,
): Promise<Some<WorkflowDoc | ArchivedWorkflow>> {
  const live = await findWorkflowsLike(app.mongo.db, filter, { limit, maxRead: MAX_READ });
  if (live.stoppedAt !== undefined || live.found.length >= limit) return live;
  const beforeId = live.found.at(-1)?._id ?? filter.beforeId;
  const { found, stoppedAt } = await listArchivedWorkflows(
    app,
    { ...filter, beforeId },
    limit - live.found.length,
  );
  return { found: [...live.found, ...found], stoppedAt };
}
