// GET and POST /generate. The form does without a script: a press is one POST, whose answer is the job's page or the form with what is wrong.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CoreClient } from "../../../proto/client.ts";
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
import { TAKES_FILE } from "../../answers/take-file.ts";
import type { Form } from "../session/forms.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { askInputs, inputParamFor, inputParamsOf, wantedInput, type WantedInput } from "./ask-inputs.ts";
import { type Draft, issuesByField, type Model, newDraft, readDraft, toBody, withParam } from "./draft.ts";
import { acceptFilesInForms, readGenerateForm } from "./generate-form.ts";
import { generatePage, type GenerateView, nothingToGenerate, type Refusal } from "./generate-page.ts";
import { GENERATE_PATH, jobPath } from "./paths.ts";

const MODEL_GONE: Refusal = {
  message: "There is no such model, or not any more.",
  hint: "Choose one of these.",
  fields: new Map(),
};

const INPUT_GONE: Refusal = {
  message: "That file cannot be worked from.",
  hint: "It is not kept any more, or no model takes a file of its kind at the moment.",
  fields: new Map(),
};

type Query = Readonly<Partial<Record<"model" | "modality" | "from" | "seed" | "input" | "job", unknown>>>;

/** A scope of its own, because its forms may carry files. */
export async function generateRoutes(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  acceptFilesInForms(app);
  showForm(app, options);
  takeForm(app, options);
}

function showForm(app: FastifyInstance, { core }: GatewayOptions): void {
  app.get<{ Querystring: Query }>(GENERATE_PATH, async (request, reply) => {
    const { person } = request;
    const { modality, from, seed, input, job: maker } = request.query;
    const kept = app.sessions.keptForms.take(request, reply);
    const wantedSlug = kept ? kept.get("model") : request.query.model;
    const now = new Date();
    const [facts, earlier, made] = await Promise.all([
      askFacts(core, request),
      askJob(core, request, from),
      typeof input === "string" ? askJob(core, request, maker) : undefined,
    ]);
    const wanted = made && wantedInput(made, String(input), now);
    const model = chooseModel(
      kept ? facts.models : fittingModels(facts.models, wanted),
      kept ? wantedSlug : (earlier?.model_slug ?? wantedSlug),
      earlier?.modality ?? modality,
    );
    if (!model) return renderPage(reply, nothingToGenerate(person));
    const isGone =
      typeof wantedSlug === "string" && wantedSlug !== "" && model.model_slug !== wantedSlug && !earlier;
    const param = wanted && inputParamFor(model, wanted.kind);
    const isInputGone = typeof input === "string" && !param;
    const fresh = newDraft(model, askAgain(earlier, model, seed === "same"));
    const asked = wanted && param ? withParam(fresh, param.name, wanted.outputId) : fresh;
    // As it was typed when the session had ended.
    const draft = kept ? readDraft(kept, model) : asked;
    return renderPage(reply, {
      ...generatePage({
        person,
        ...facts,
        model,
        draft,
        wanted,
        inputs: await askInputs(core, personCall(request), { model, draft, wanted, now }),
        refusal: isGone ? MODEL_GONE : isInputGone ? INPUT_GONE : undefined,
      }),
      status: isGone || isInputGone ? ERROR_TABLE.not_found.http : 200,
    });
  });
}

function takeForm(app: FastifyInstance, options: GatewayOptions): void {
  const { core } = options;
  // It takes as long as its files do.
  app.post(GENERATE_PATH, { config: { ...TAKES_FILE, keepsForm: true } }, async (request, reply) => {
    const { person } = request;
    const facts = await askFacts(core, request);
    const modelOf = (form: Form) => {
      const found = facts.models.find(({ model_slug }) => model_slug === form.get("model"));
      if (!found) throw new AppError("model_not_available");
      return found;
    };
    const { form, refused } = await readGenerateForm(request, reply, options, (sent) =>
      inputParamsOf(modelOf(sent)).map(({ name }) => name),
    );
    const model = modelOf(form);
    const draft = readDraft(form, model);
    try {
      refuseFiles(refused);
      const body = parseRequest(generateRequestSchema, toBody(draft, model));
      const made = await core.jobs.Generate(toGenerateRequest(body, draft.idempotencyKey), {
        ...personCall(request),
        ...generateDeadline(body),
      });
      return reply.redirect(jobPath(made.job_id), 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const now = new Date();
      const inputs = await askInputs(core, personCall(request), { model, draft, wanted: undefined, now });
      return sendRefused(reply, { person, ...facts, model, draft, inputs }, error);
    }
  });
}

async function askJob(
  core: CoreClient,
  request: FastifyRequest,
  jobId: unknown,
): Promise<JobResource | undefined> {
  if (typeof jobId !== "string") return undefined;
  return fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId }, personCall(request)));
}

async function askFacts(
  core: CoreClient,
  request: FastifyRequest,
): Promise<Pick<GenerateView, "models" | "balance">> {
  const call = personCall(request);
  const [{ models }, balance] = await Promise.all([
    core.models.ListModels({ modality: "" }, call),
    core.credits.GetBalance({}, call),
  ]);
  return { models: fromMessages(modelSchema, models), balance: fromMessage(balanceSchema, balance) };
}

/** Those that take the file that is wanted; all where none is, or none takes it. */
function fittingModels(models: readonly Model[], wanted: WantedInput | undefined): readonly Model[] {
  const fitting = wanted ? models.filter((model) => inputParamFor(model, wanted.kind)) : [];
  return fitting.length > 0 ? fitting : models;
}

/** Files that were not taken, as issues of their params. */
function refuseFiles(refused: ReadonlyMap<string, AppError>): void {
  const [first] = refused.values();
  if (!first) return;
  const issues = [...refused].map(([name, { message }]) => ({ path: `params.${name}`, message }));
  throw new AppError(first.code, { message: first.message, hint: first.hint, issues });
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
