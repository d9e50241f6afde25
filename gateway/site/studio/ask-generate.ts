// What the Generate page asks core: the models, the balance, the latest works, and what the form comes to as it stands.
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { balanceSchema } from "../../../proto/resources/credits.ts";
import { estimateSchema } from "../../../proto/resources/estimate.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  generateDeadline,
  generateRequestSchema,
  jobSchema,
  type JobResource,
  toGenerateRequest,
  understoodSchema,
  understoodWords,
} from "../../../proto/resources/job.ts";
import { modelSchema } from "../../../proto/resources/model.ts";
import { type GenerateBody, generateSamples } from "../../answers/code-samples.ts";
import type { Person } from "../session/current-person.ts";
import { inputParamsOf } from "./ask-inputs.ts";
import { type Draft, type Model, toBody, priceOfDraft } from "./draft.ts";
import type { GenerateView, Preview } from "./generate-page.ts";
import { otherKindOf } from "./other-kind.ts";
import type { Balance, Price } from "./price-box.ts";

/** As many as stand beside each other at a desk. */
const LATEST = 8;
/** In the place of a prompt that is not written yet. */
const ANY_PROMPT = "a lighthouse at dawn";

export type Asked = { readonly core: CoreClient; readonly call: CallOptions };

type Info = Pick<GenerateView, "models" | "balance" | "history">;

export async function askInfo(asked: Asked): Promise<Info> {
  const [models, live] = await Promise.all([askModels(asked), askLive(asked)]);
  return { models, ...live };
}

/** For a visitor. */
export async function askOpenInfo({ core, call }: Asked): Promise<Info> {
  const { models } = await core.models.ShowModels({}, call);
  return { models: fromMessages(modelSchema, models), balance: undefined, history: [] };
}

export async function askModels({ core, call }: Asked): Promise<readonly Model[]> {
  const { models } = await core.models.ListModels({ modality: "" }, call);
  return fromMessages(modelSchema, models);
}

export async function askBalance({ core, call }: Asked): Promise<Balance> {
  return fromMessage(balanceSchema, await core.credits.GetBalance({}, call));
}

/** What changes while a job lives. */
export async function askLive(asked: Asked): Promise<Pick<Info, "balance" | "history">> {
  const { core, call } = asked;
  const latest = { limit: LATEST, cursor: "", state: "", modality: "" };
  const [balance, { jobs }] = await Promise.all([askBalance(asked), core.jobs.ListJobs(latest, call)]);
  return { balance, history: fromMessages(jobSchema, jobs) };
}

export async function askJob({ core, call }: Asked, jobId: unknown): Promise<JobResource | undefined> {
  if (typeof jobId !== "string" || jobId === "") return undefined;
  return fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId }, call));
}

type Previewed = { models: readonly Model[]; model: Model; draft: Draft; generationBaseUrl: string };

/** For a visitor, who has no account yet, by the public prices. */
export async function askPreview(
  asked: Asked,
  { models, model, draft, generationBaseUrl }: Previewed,
  person: Person | undefined,
): Promise<Preview> {
  const isBlank = draft.prompt.trim() === "";
  const body = toBody(isBlank ? { ...draft, prompt: ANY_PROMPT } : draft, model);
  const [price, understood] = await Promise.all([
    person ? askPriceOf(asked, { model, draft }) : priceOfDraft(draft, model),
    isBlank ? undefined : unlessRefused(askUnderstood(asked, body)),
  ]);
  const otherKind = otherKindOf(models, model, draft);
  return { price, understood, otherKind, code: generateSamples(body, { generationBaseUrl }) };
}

/** What the form would cost for the person. */
export async function askPriceOf(
  asked: Asked,
  { model, draft }: Pick<Previewed, "model" | "draft">,
): Promise<Price> {
  const isBlank = draft.prompt.trim() === "";
  if (isBlank && model.per === "1000_characters") return undefined;
  const { callback_url: _, ...priced } = toBody(isBlank ? { ...draft, prompt: ANY_PROMPT } : draft, model);
  return unlessRefused(askPrice(asked, priced), (error) =>
    // Without its file, or another prompt, the rest of the form can be priced already.
    isPriced(error, model) ? priceOfDraft(draft, model) : undefined,
  );
}

/** As the estimate says. */
async function askPrice({ core, call }: Asked, body: GenerateBody): Promise<number> {
  const request = parseRequest(generateRequestSchema, body);
  const options = { ...call, ...generateDeadline(request) };
  const estimate = await core.jobs.Estimate(toGenerateRequest(request, undefined), options);
  return fromMessage(estimateSchema, estimate).credits;
}

/** While one types, much of a form is not right yet. */
async function unlessRefused<T>(
  answer: Promise<T>,
  otherwise: (refusal: AppError) => T | undefined = () => undefined,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && ERROR_TABLE[error.code].http < 500) return otherwise(error);
    throw error;
  }
}

function isPriced({ issues }: AppError, model: Model): boolean {
  const free = new Set(["prompt", ...inputParamsOf(model).map(({ name }) => `params.${name}`)]);
  return issues !== undefined && issues.every(({ path }) => free.has(path));
}

async function askUnderstood(
  { core, call }: Asked,
  { model_slug, prompt, params = {} }: GenerateBody,
): Promise<string | undefined> {
  const request = { model_slug, prompt, params_json: JSON.stringify(params) };
  const { understood, refusal } = await core.jobs.Understand(request, call);
  if (refusal !== undefined) return `This ${refusal}.`;
  return understood ? understoodWords(fromMessage(understoodSchema, understood)) : undefined;
}
