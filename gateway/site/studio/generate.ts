// The routes of /generate. The form does without a script: a press is one POST, whose answer is the same page with the job beside the form, or
// the form with what is wrong. What scripts ask for between are fragments of that page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fromMessage } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  generateDeadline,
  jobSchema,
  generateRequestSchema,
  type JobResource,
  toGenerateRequest,
} from "../../../proto/resources/job.ts";
import { jobParams } from "../../answers/path-params.ts";
import { TAKES_FILE } from "../../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { callFor } from "../../http/auth.ts";
import { renderFragments, renderPage } from "../layout/render-page.ts";
import { findSample, type Sample } from "../samples/samples.ts";
import { admitAnyone, admitPerson, type Person, personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { VISITOR_FIELD } from "../session/kept-form.ts";
import {
  askBalance,
  type Asked,
  askInfo,
  askJob,
  askLive,
  askModels,
  askOpenInfo,
  askPreview,
} from "./ask-generate.ts";
import { askInputs, inputParamFor, inputParamsOf, wantedInput, type WantedInput } from "./ask-inputs.ts";
import { type Model, newDraft, readDraft, toBody, withParam, withQuery } from "./draft.ts";
import { acceptFilesInForms, readGenerateForm } from "./generate-form.ts";
import {
  generatePage,
  type GenerateView,
  liveFragments,
  nothingToGenerate,
  previewFragments,
} from "./generate-page.ts";
import {
  AGAIN_PATH,
  CHECK_PATH,
  CODE_PATH,
  GENERATE_PATH,
  PREVIEW_PATH,
  shownAddress,
  STOP_PATH,
} from "./paths.ts";
import type { Price } from "./price-box.ts";
import { INPUT_GONE, MODEL_GONE, sendRefused } from "./refusals.ts";
import { atShownPrice, readShownPrice } from "./shown-price.ts";

/** Beside these: `prompt`, `callback_url` and `param.…`, as the form names them. */
type Query = Readonly<
  Partial<
    Record<"model" | "modality" | "from" | "seed" | "input" | "job" | "example" | "prompt" | "show", unknown>
  >
>;

/** What anyone may see: the form, and what it would cost. */
export function openGenerateRoutes(app: FastifyInstance, options: GatewayOptions): void {
  showForm(app, options);
  showPreview(app, options);
  showCheck(app, options);
}

/** A scope of its own, because its forms may carry files. */
export async function generateRoutes(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  acceptFilesInForms(app);
  takeForm(app, options);
  showCodeOfForm(app, options);
  actOnJob(app, options);
}

function askedOf(request: FastifyRequest, { core }: Pick<GatewayOptions, "core">): Asked {
  return { core, call: personCall(request) };
}

/** For what a visitor may see as well. */
function openAskedOf(
  request: FastifyRequest,
  options: Pick<GatewayOptions, "core">,
  person: Person | undefined,
): Asked {
  return person ? askedOf(request, options) : { core: options.core, call: callFor(request) };
}

function showForm(app: FastifyInstance, options: GatewayOptions): void {
  app.get<{ Querystring: Query }>(GENERATE_PATH, async (request, reply) => {
    const { query } = request;
    // A job is its owner's.
    const isOwn = [query.job, query.from].some(isSaid);
    const person = await (isOwn ? admitPerson(request, reply) : admitAnyone(request, reply, options.limits));
    const asked = openAskedOf(request, options, person);
    const kept = person && app.sessions.keptForms.take(request, reply);
    const now = new Date();
    const [facts, shown, from] = await Promise.all([
      person ? askInfo(asked) : askOpenInfo(asked),
      askJob(asked, query.job),
      askJob(asked, query.from),
    ]);
    const isChosen = [query.model, query.modality, query.input, query.example].some(isSaid);
    const earlier = from ?? (isChosen ? undefined : shown);
    const sample = findSample(query.example);
    const wanted = shown && isSaid(query.input) ? wantedInput(shown, String(query.input), now) : undefined;
    const wantedSlug = kept ? kept.get("model") : (earlier?.model_slug ?? sample?.model ?? query.model);
    const model = chooseModel(
      kept ? facts.models : fittingModels(facts.models, wanted),
      wantedSlug,
      earlier?.modality ?? query.modality,
    );
    if (!model) return renderPage(reply, nothingToGenerate(person));
    const param = wanted && inputParamFor(model, wanted.kind);
    const isGone = isSaid(query.model) && !earlier && !kept && model.model_slug !== query.model;
    const isInputGone = isSaid(query.input) && !param;
    const filled = withQuery(newDraft(model, fillingOf({ earlier, sample, model, query })), query, model);
    const begun = wanted && param ? withParam(filled, param.name, wanted.outputId) : filled;
    // As it was typed when the session had ended.
    const draft = kept ? readDraft(kept, model) : begun;
    const form = { ...facts, person, model, draft, wanted, now };
    // The visitor has pressed the button, and signed in for it.
    if (kept && kept.get(VISITOR_FIELD) !== "")
      return press(reply, asked, form, options, { shownPrice: readShownPrice(kept) });
    const view = {
      ...(await completeView(asked, form, options)),
      shown,
      isCodeOpen: query.show === "code",
      refusal: isGone ? MODEL_GONE : isInputGone ? INPUT_GONE : undefined,
    };
    return renderPage(reply, {
      ...generatePage(view),
      status: view.refusal ? ERROR_TABLE.not_found.http : 200,
    });
  });
}

function takeForm(app: FastifyInstance, options: GatewayOptions): void {
  // It takes as long as its files do.
  app.post(GENERATE_PATH, { config: { ...TAKES_FILE, keepsForm: true } }, async (request, reply) => {
    const { view, ...sent } = await readForm(request, reply, options);
    return press(reply, askedOf(request, options), view, options, sent);
  });
}

/** Makes the job and leads to it, or shows the form with what is wrong. */
async function press(
  reply: FastifyReply,
  asked: Asked,
  view: FormView,
  options: GatewayOptions,
  {
    shownPrice,
    refused = new Map(),
    shownId = "",
  }: { shownPrice: Price; refused?: ReadonlyMap<string, AppError>; shownId?: string },
): Promise<FastifyReply> {
  try {
    refuseFiles(refused);
    const jobId = await generate(asked, view, shownPrice);
    const seed = view.draft.params.get("seed") ? "same" : undefined;
    return await reply.redirect(`${shownAddress(jobId, seed)}#result`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return sendRefused(reply, await completeForm(asked, view, shownId, options), error);
  }
}

/** What the form as it stands would cost, show and be as code, as fragments for the script. */
function showPreview(app: FastifyInstance, options: GatewayOptions): void {
  const { generationBaseUrl, limits } = options;
  app.post(PREVIEW_PATH, async (request, reply) => {
    const person = await admitAnyone(request, reply, limits);
    const asked = openAskedOf(request, options, person);
    const form = formOf(request);
    const [models, balance] = await Promise.all([
      person ? askModels(asked) : askOpenInfo(asked).then((info) => info.models),
      person && askBalance(asked),
    ]);
    const model = modelOf(models, form);
    const previewed = { models, model, draft: readDraft(form, model), generationBaseUrl };
    const preview = await askPreview(asked, previewed, person);
    return renderFragments(reply, previewFragments(preview, balance));
  });
}

/** The same as a whole page, for visitors without scripts, who may have asked for the code. */
function showCheck(app: FastifyInstance, options: GatewayOptions): void {
  app.post(CHECK_PATH, async (request, reply) => {
    const person = await admitAnyone(request, reply, options.limits);
    const asked = openAskedOf(request, options, person);
    const form = formOf(request);
    const facts = person ? await askInfo(asked) : await askOpenInfo(asked);
    const model = modelOf(facts.models, form);
    const view = { ...facts, person, model, draft: readDraft(form, model), now: new Date() };
    const isCodeOpen = form.get("show") !== "form";
    return renderPage(reply, generatePage({ ...(await completeView(asked, view, options)), isCodeOpen }));
  });
}

/** The same as a whole page, with the code in sight, or the form with price and preview. */
function showCodeOfForm(app: FastifyInstance, options: GatewayOptions): void {
  const { core } = options;
  app.post(CODE_PATH, { config: { ...TAKES_FILE, keepsForm: true } }, async (request, reply) => {
    const asked = askedOf(request, { core });
    const { view, shownId, isCheck } = await readForm(request, reply, options);
    const complete = await completeForm(asked, view, shownId, options);
    return renderPage(reply, generatePage({ ...complete, isCodeOpen: !isCheck }));
  });
}

/** What is done with the job beside the form. */
function actOnJob(server: FastifyInstance, options: GatewayOptions): void {
  const app = server as GatewayApp;
  const { core } = options;
  app.get(`${GENERATE_PATH}/jobs/:id`, { schema: { params: jobParams } }, async (request, reply) => {
    const { person } = request;
    const asked = askedOf(request, options);
    const [shown, live] = await Promise.all([askJobById(asked, request.params.id), askLive(asked)]);
    return renderFragments(reply, liveFragments({ person, shown, ...live, now: new Date() }));
  });

  app.post(AGAIN_PATH, async (request, reply) => {
    const { person } = request;
    const asked = askedOf(request, options);
    const form = formOf(request);
    const [facts, job] = await Promise.all([askInfo(asked), askJobById(asked, form.get("job"))]);
    const model = facts.models.find(({ model_slug }) => model_slug === job.model_slug);
    if (!model) throw new AppError("model_not_available");
    const { idempotencyKey } = readDraft(form, model);
    const draft = { ...newDraft(model, askAgain(job, model, false)), idempotencyKey };
    const view = { ...facts, person, model, draft, wanted: undefined, now: new Date() };
    try {
      const jobId = await generate(asked, view, readShownPrice(form));
      return await reply.redirect(`${shownAddress(jobId)}#result`, 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const againPrice = error.numbers?.["credits_required"];
      const complete = await completeForm(asked, view, job.job_id, options);
      return sendRefused(reply, { ...complete, againPrice }, error);
    }
  });

  app.post(STOP_PATH, async (request, reply) => {
    const jobId = formOf(request).get("job");
    try {
      await core.jobs.CancelJob({ job_id: jobId }, personCall(request));
    } catch (error) {
      // It has ended: the page says how.
      if (!(error instanceof AppError) || error.code !== "job_not_cancellable") throw error;
    }
    return reply.redirect(`${shownAddress(jobId)}#result`, 303);
  });
}

type FormView = Omit<GenerateView, "inputs" | "preview">;

async function readForm(request: FastifyRequest, reply: FastifyReply, options: GatewayOptions) {
  const facts = await askInfo(askedOf(request, options));
  const { form, refused } = await readGenerateForm(request, reply, options, (sent) =>
    inputParamsOf(modelOf(facts.models, sent)).map(({ name }) => name),
  );
  const model = modelOf(facts.models, form);
  const draft = readDraft(form, model);
  const view: FormView = { ...facts, person: request.person, model, draft, now: new Date() };
  const isCheck = form.get("show") === "form";
  return { view, refused, shownId: form.get("job"), shownPrice: readShownPrice(form), isCheck };
}

async function generate(
  { core, call }: Asked,
  { draft, model }: Pick<FormView, "draft" | "model">,
  shownPrice: Price,
): Promise<string> {
  const made = await atShownPrice(shownPrice, (limit) => {
    const body = parseRequest(generateRequestSchema, { ...toBody(draft, model), ...limit });
    const request = toGenerateRequest(body, draft.idempotencyKey);
    return core.jobs.Generate(request, { ...call, ...generateDeadline(body) });
  });
  return made.job_id;
}

async function completeView(
  asked: Asked,
  view: FormView,
  { generationBaseUrl }: Pick<GatewayOptions, "generationBaseUrl">,
): Promise<GenerateView> {
  const { person, models, model, draft, wanted, now } = view;
  const [inputs, preview] = await Promise.all([
    person
      ? askInputs(asked.core, asked.call, { model, draft, wanted, now })
      : { pickable: [], brought: new Map() },
    askPreview(asked, { models, model, draft, generationBaseUrl }, person),
  ]);
  return { ...view, inputs, preview };
}

/** With the job that stood beside the form, if there still is one. */
async function completeForm(
  asked: Asked,
  view: FormView,
  shownId: string,
  options: GatewayOptions,
): Promise<GenerateView> {
  const [complete, shown] = await Promise.all([
    completeView(asked, view, options),
    askJob(asked, shownId).catch(() => undefined),
  ]);
  return { ...complete, shown };
}

async function askJobById({ core, call }: Asked, jobId: string): Promise<JobResource> {
  return fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId }, call));
}

function isSaid(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function modelOf(models: readonly Model[], form: Form): Model {
  const found = models.find(({ model_slug }) => model_slug === form.get("model"));
  if (!found) throw new AppError("model_not_available");
  return found;
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

/** What the form begins with: an earlier job's request, or an example. */
function fillingOf({
  earlier,
  sample,
  model,
  query,
}: {
  earlier: JobResource | undefined;
  sample: Sample | undefined;
  model: Model;
  query: Query;
}): Parameters<typeof newDraft>[1] {
  if (earlier) return askAgain(earlier, model, query.seed === "same");
  if (sample?.model !== model.model_slug) return undefined;
  return { prompt: sample.prompt, params: sample.params, callback: null };
}

/** What the job was asked for: params only of the model that the form is for, and its seed only where the same work is wanted. */
function askAgain(job: JobResource, model: Model, sameSeed: boolean): JobResource {
  if (job.model_slug !== model.model_slug) return { ...job, params: {} };
  const { seed, ...others } = job.params;
  return { ...job, params: sameSeed ? { ...others, seed } : others };
}
