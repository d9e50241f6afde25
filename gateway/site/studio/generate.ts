// GET and POST /generate. The form does without a script: a press is one POST, whose answer is the job's page or the form with what is wrong.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { balanceSchema } from "../../../proto/resources/credits.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  generateDeadline,
  jobSchema,
  generateRequestSchema,
  type JobResource,
  toGenerateRequest,
} from "../../../proto/resources/job.ts";
import { modelSchema } from "../../../proto/resources/model.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { formOf } from "../session/forms.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { type Draft, issuesByField, type Model, newDraft, readDraft, toBody } from "./draft.ts";
import { generatePage, type GenerateView, nothingToGenerate, type Refusal } from "./generate-page.ts";
import { GENERATE_PATH, jobPath } from "./paths.ts";

const MODEL_GONE: Refusal = {
  message: "There is no such model, or not any more.",
  hint: "Choose one of these.",
  fields: new Map(),
};

type Query = { model?: unknown; modality?: unknown; from?: unknown; seed?: unknown };

export function generateRoutes(app: FastifyInstance, { core }: GatewayOptions): void {
  app.get<{ Querystring: Query }>(GENERATE_PATH, async (request, reply) => {
    const { person } = request;
    const { model: wanted, modality, from, seed } = request.query;
    const call = personCall(request);
    const [facts, earlier] = await Promise.all([
      askFacts(request),
      typeof from === "string"
        ? core.jobs.GetJob({ job_id: from }, call).then((message) => fromMessage(jobSchema, message))
        : undefined,
    ]);
    const model = chooseModel(facts.models, earlier?.model_slug ?? wanted, earlier?.modality ?? modality);
    if (!model) return renderPage(reply, nothingToGenerate(person));
    const isGone = typeof wanted === "string" && wanted !== "" && model.model_slug !== wanted && !earlier;
    return renderPage(reply, {
      ...generatePage({
        person,
        ...facts,
        model,
        draft: newDraft(model, askAgain(earlier, model, seed === "same")),
        refusal: isGone ? MODEL_GONE : undefined,
      }),
      status: isGone ? ERROR_TABLE.not_found.http : 200,
    });
  });

  app.post(GENERATE_PATH, async (request, reply) => {
    const { person } = request;
    const form = formOf(request);
    const facts = await askFacts(request);
    const wanted = form.get("model");
    const model = facts.models.find(({ model_slug }) => model_slug === wanted);
    if (!model) throw new AppError("model_not_available");
    const draft = readDraft(form, model);
    try {
      const body = parseRequest(generateRequestSchema, toBody(draft, model));
      const made = await core.jobs.Generate(toGenerateRequest(body, draft.idempotencyKey), {
        ...personCall(request),
        ...generateDeadline(body),
      });
      return reply.redirect(jobPath(made.job_id), 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return sendRefused(reply, { person, ...facts, model, draft }, error);
    }
  });

  async function askFacts(request: FastifyRequest): Promise<Pick<GenerateView, "models" | "balance">> {
    const call = personCall(request);
    const [{ models }, balance] = await Promise.all([
      core.models.ListModels({ modality: "" }, call),
      core.credits.GetBalance({}, call),
    ]);
    return { models: fromMessages(modelSchema, models), balance: fromMessage(balanceSchema, balance) };
  }
}

/** The model that was asked for, else the first of the modality, else the first of all. */
function chooseModel(models: readonly Model[], slug: unknown, modality: unknown): Model | undefined {
  return (
    models.find(({ model_slug }) => model_slug === slug) ??
    models.find((model) => model.modality === modality) ??
    models[0]
  );
}

/** What the job was asked for: params only of the model that the form is for, and its seed only where the same work is wanted. */
function askAgain(job: JobResource | undefined, model: Model, sameSeed: boolean): JobResource | undefined {
  if (!job) return undefined;
  if (job.model_slug !== model.model_slug) return { ...job, params: {} };
  const { seed, ...others } = job.params;
  return { ...job, params: sameSeed ? { ...others, seed } : others };
}

function sendRefused(reply: FastifyReply, view: GenerateView, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", Math.ceil(error.retryAfterSeconds));
  return renderPage(reply, {
    ...generatePage({
      ...view,
      draft: draftAfter(view.draft, view.model, error),
      refusal: refusalOf(error, view.model),
    }),
    status: ERROR_TABLE[error.code].http,
  });
}

/** The key stays, because the answer of a first try may be all that was lost; unless it is the key that was refused. */
function draftAfter(draft: Draft, model: Model, { code }: AppError): Draft {
  return code === "idempotency_mismatch"
    ? { ...draft, idempotencyKey: newDraft(model).idempotencyKey }
    : draft;
}

function refusalOf(error: AppError, model: Model): Refusal {
  if (error.code === "idempotency_mismatch") {
    return {
      message: "This form has made a job already.",
      hint: "Press Generate again to make another one with what stands here now.",
      fields: new Map(),
    };
  }
  const issues =
    error.code === "callback_url_refused"
      ? [{ path: "callback_url", message: `cannot be called from here. ${error.hint}`.replace(/\.$/, "") }]
      : (error.issues ?? []);
  return { message: error.message, hint: error.hint, fields: issuesByField(issues, model) };
}
