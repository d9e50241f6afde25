// Building a workflow: from a job, from an earlier workflow, or from nothing; adding and removing steps, and running it.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { jobSchema } from "../../../proto/resources/job.ts";
import {
  toRunWorkflowRequest,
  workflowDeadline,
  workflowRequestSchema,
  workflowSchema,
} from "../../../proto/resources/workflow.ts";
import { workflowSamples } from "../../answers/code-samples.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { askBalance, type Asked, askJob, askModels, askPriceOf } from "./ask-generate.ts";
import { buildPage } from "./build-page.ts";
import type { Model } from "./draft.ts";
import { BUILD_PATH, workflowPath } from "./paths.ts";
import type { Price } from "./price-box.ts";
import { atShownPrice, readShownPrice } from "./shown-price.ts";
import {
  emptyWorkflow,
  readWorkflow,
  toWorkflowBody,
  workflowAgain,
  type WorkflowDraft,
  workflowOfJob,
  withStep,
} from "./workflow-draft.ts";

const text = z.string().optional();
const buildQuery = z.object({ from: text, workflow: text, show: text });

export function buildPages(app: GatewayApp, { core, generationBaseUrl }: GatewayOptions): void {
  const view = async (asked: Asked, models: readonly Model[], workflow: WorkflowDraft) => {
    const [balance, prices] = await Promise.all([
      askBalance(asked),
      Promise.all(workflow.steps.map((step) => askPriceOf(asked, step))),
    ]);
    const code = workflowSamples(toWorkflowBody(workflow), { generationBaseUrl });
    return { models, workflow, balance, prices, code };
  };

  app.get(BUILD_PATH, { schema: { querystring: buildQuery } }, async (request, reply) => {
    const { person, query } = request;
    const asked = { core, call: personCall(request) };
    const kept = app.sessions.keptForms.take(request, reply);
    const models = await askModels(asked);
    const begun = kept ? { workflow: readWorkflow(kept, models) } : await begin(asked, models, query);
    const isCodeOpen = query.show === "code";
    return renderPage(
      reply,
      buildPage({ ...(await view(asked, models, begun.workflow)), ...begun, person, isCodeOpen }),
    );
  });

  app.post(BUILD_PATH, { config: { keepsForm: true } }, async (request, reply) => {
    const { person } = request;
    const asked = { core, call: personCall(request) };
    const form = formOf(request);
    const models = await askModels(asked);
    const added = models.find(({ model_slug }) => model_slug === form.get("add"));
    const read = readWorkflow(form, models);
    const shown = { ...(await view(asked, models, added ? withStep(read, added) : read)), person };
    const isCodeOpen = form.get("do") === "price";
    if (form.get("do") !== "run") return renderPage(reply, buildPage({ ...shown, isCodeOpen }));
    try {
      return await reply.redirect(workflowPath(await run(asked, shown.workflow, readShownPrice(form))), 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { idempotencyKey } = error.code === "idempotency_mismatch" ? emptyWorkflow() : shown.workflow;
      const workflow = { ...shown.workflow, idempotencyKey };
      const page = buildPage({ ...shown, workflow, isCodeOpen, refusal: error });
      return renderPage(reply, { ...page, status: ERROR_TABLE[error.code].http });
    }
  });
}

/** Errors: job_not_found, workflow_not_found. */
async function begin(
  asked: Asked,
  models: readonly Model[],
  { from, workflow: id = "" }: z.output<typeof buildQuery>,
): Promise<{ workflow: WorkflowDraft; refusal?: AppError }> {
  const { core, call } = asked;
  const job = await askJob(asked, from);
  if (job) {
    const model = models.find(({ model_slug }) => model_slug === job.model_slug);
    return model
      ? { workflow: workflowOfJob(job, model) }
      : { workflow: emptyWorkflow(), refusal: new AppError("model_not_available") };
  }
  if (id === "") return { workflow: emptyWorkflow() };
  const earlier = fromMessage(workflowSchema, await core.workflows.GetWorkflow({ workflow_id: id }, call));
  const job_ids = earlier.steps.map(({ job_id }) => job_id);
  const { jobs } = await core.jobs.ListJobs({ job_ids, limit: job_ids.length }, call);
  const workflow = workflowAgain(earlier, fromMessages(jobSchema, jobs), models);
  const isWhole = workflow.steps.length === earlier.steps.length;
  return { workflow, ...(!isWhole && { refusal: new AppError("model_not_available") }) };
}

/** Returns the id of the workflow. Errors: price_changed above the price that the page showed, and those of RunWorkflow. */
async function run({ core, call }: Asked, workflow: WorkflowDraft, shownPrice: Price): Promise<string> {
  const made = await atShownPrice(shownPrice, (limit) => {
    const body = parseRequest(workflowRequestSchema, { ...toWorkflowBody(workflow), ...limit });
    const request = toRunWorkflowRequest(body, workflow.idempotencyKey);
    return core.workflows.RunWorkflow(request, { ...call, ...workflowDeadline(body) });
  });
  return made.workflow_id;
}
