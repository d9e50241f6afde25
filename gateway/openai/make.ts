// A request in OpenAI's format as one job, which it waits for: accepted by the same call of core as any other, so with the same price,
// limits and ledger.
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../../edge/http/client-gone.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { AppError, ERROR_TABLE, type Issue } from "../../proto/codes.ts";
import { invalidRequest } from "../../proto/resources/issues.ts";
import {
  type JobRequest,
  generateDeadline,
  type JobResource,
  jobSchema,
  type Modality,
  toGenerateRequest,
} from "../../proto/resources/job.ts";
import { type ModelResource, modelSchema } from "../../proto/resources/model.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";
import { readJob } from "../answers/read-job.ts";
import type { GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";
import { preferredWait } from "../http/prefer.ts";
import { modelOf, type Suits } from "./names.ts";
import type { Asked } from "./params.ts";

type OwnOptions = Pick<JobRequest, "expires_in" | "keep_days">;

export type Making = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly options: GatewayOptions;
  readonly modality: Modality;
  /** Name of the model as it was sent. */
  readonly name: string | undefined;
  readonly prompt: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Which models a common name can mean. */
  readonly suits: Suits;
  /** The request to this model. */
  ask(model: ModelResource): Asked;
  /** The service's fields -> the request's, for errors of core. */
  readonly fields: Readonly<Record<string, string>>;
};

/** The id of the job, once it is accepted. Throws what core refuses. */
export async function make(making: Making): Promise<string> {
  const { request, reply, options, modality, name, prompt, metadata, suits } = making;
  const idempotencyKey = keyOf(request);
  const models = await liveModels(options, request);
  const model = modelOf(models, name, modality, { given: options.config.openAiModels, suits });
  const { params, issues } = making.ask(model);
  if (issues.length > 0) throw invalidRequest([...issues]);
  const body: JobRequest = {
    modality,
    model_slug: model.model_slug,
    prompt,
    params,
    ...(metadata && { metadata }),
    ...ownOptions(request.body as OwnOptions),
  };
  // OpenAI's libraries repeat failed requests automatically; without a key that would be a second job.
  reply.header("x-should-retry", idempotencyKey === undefined ? "false" : "true");
  const made = await options.core.jobs
    .Generate(toGenerateRequest(body, idempotencyKey), {
      ...callFor(request),
      ...generateDeadline(body),
      signal: clientGone(reply),
    })
    .catch((error: unknown) => {
      if (wasRefused(error)) reply.removeHeader("x-should-retry");
      throw inTheirWords(error, making.fields);
    });
  if (made.replayed) reply.header("idempotency-replayed", "true");
  reply.header("location", `${options.generationBaseUrl}/api/jobs/${made.job_id}`);
  return made.job_id;
}

/**
 * Returns the completed job. Throws core's refusals, generation_failed, and deadline_exceeded where it takes longer than the response can
 * be held; the job then continues.
 */
export async function makeAndWait(making: Making & { readonly draining: AbortSignal }): Promise<JobResource> {
  const job = await waitForEnd(making, await make(making));
  making.reply.removeHeader("x-should-retry");
  if (job.state === "completed") return job;
  throw new AppError("generation_failed", {
    message:
      job.state === "cancelled" ? "The job was cancelled." : (job.error?.message ?? "The generation failed."),
  });
}

export async function liveModels(
  { core }: GatewayOptions,
  request: FastifyRequest,
): Promise<ModelResource[]> {
  const { models } = await core.models.ListModels({ modality: "" }, callFor(request));
  return fromMessages(modelSchema, models);
}

async function waitForEnd(
  { request, reply, options, draining }: Making & { readonly draining: AbortSignal },
  jobId: string,
): Promise<JobResource> {
  const seconds = preferredWait(request.headers.prefer as string | undefined) ?? MAX_WAIT_SECONDS;
  const message = { job_id: jobId, wait_seconds: seconds };
  const job = fromMessage(jobSchema, await readJob(options, message, request, reply, draining));
  if (job.ended_at !== null) return job;
  throw new AppError("deadline_exceeded", {
    message: `The job ${jobId} has not ended yet. It goes on, and its price is held.`,
    hint:
      keyOf(request) === undefined
        ? `Read it at GET /api/jobs/${jobId}. With an Idempotency-Key the same request can be sent again to wait on.`
        : "Send the same request with the same Idempotency-Key again to wait on.",
    retryAfterSeconds: 1,
  });
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  return headers["idempotency-key"] as string | undefined;
}

/** A refusal that says that no job was made. */
function wasRefused(error: unknown): boolean {
  return error instanceof AppError && ERROR_TABLE[error.code].http < 500;
}

/** The fields that generate has for this, too. */
function ownOptions({ expires_in, keep_days }: OwnOptions): OwnOptions {
  return { ...(expires_in !== undefined && { expires_in }), ...(keep_days !== undefined && { keep_days }) };
}

/** What core finds wrong, by the names that the request has. */
export function inTheirWords(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_request" || !error.issues) return error;
  const rename = ({ path, message }: Issue): Issue => ({ path: fields[path] ?? path, message });
  return invalidRequest(error.issues.map(rename));
}
