// The files that a job is given: found before it is accepted, stored with it, and passed to its provider.
import { AppError, type ErrorCode } from "../../../proto/codes.ts";
import { ProviderError, type ProviderInput } from "../../adapters/providers/provider.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import { ObjectStoreError } from "../../base/objects/object-store.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { readKept } from "../../kernel/outputs/keep.ts";
import { type OpenedOutput, openFile } from "../../kernel/outputs/open.ts";
import type { ByteRange } from "../../kernel/outputs/rules.ts";
import { inputParamsOf } from "../models/input-params.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import { type ResolvedInputs, resolveInputs, type WantedInput } from "../uploads/resolve.ts";
import { neededUntil } from "../uploads/rules.ts";
import { type AcceptRequest, checkRequest, idempotencyId } from "./check-request.ts";
import { askingOf, hasStarted } from "./confirm.ts";
import { findOwnJob } from "./get.ts";
import { signInputUrl } from "./input-url.ts";
import { QUEUE_DEADLINE_MS } from "./rules.ts";
import { hashRequest } from "./same-request.ts";
import { findIdempotencyKeys } from "./store-changes.ts";
import type { InputDoc, JobDoc } from "./store.ts";

/** After these errors it is unknown whether a job was created. */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set(["service_unavailable", "deadline_exceeded", "internal"]);
const NONE: ReadonlyMap<string, ProviderInput> = new Map();

type PreparedInputs = {
  readonly inputs: readonly InputDoc[];
  /** No job was made. */
  readonly drop: ResolvedInputs["drop"];
};

/**
 * Finds the files in the params of a request before it is queued; undefined if there are none, or if accepting will return something else
 * anyway. Throws upload_not_found, unsupported_input, upload_too_large, input_unreachable, upload_limit_reached, rate_limited, and errors
 * about the caller.
 */
async function prepareInputs(
  app: App,
  uploads: UploadReceiver,
  one: AcceptRequest,
  signal: AbortSignal,
): Promise<PreparedInputs | undefined> {
  const models = await app.models();
  const model = models.get(one.request.model_slug);
  const wanted = model ? wantedInputs(model, one.request.params ?? {}) : [];
  if (!model || wanted.length === 0) return undefined;
  // Nothing is fetched for a request that is refused for another reason.
  if (checkRequest(app, one.request, models) instanceof AppError) return undefined;
  const identity = await authenticate(app, one.caller, "write");
  const keyId = idempotencyId(one, identity);
  // The first request has found them, and they may be gone by now.
  const accountId = identity.account._id;
  const used = keyId === undefined ? [] : [{ id: keyId, accountId }];
  if ((await findIdempotencyKeys(app.mongo.db, used)).size > 0) return undefined;
  const asking = askingOf(one, identity, () => hashRequest(one.request));
  if (await hasStarted(app, asking)) return undefined;
  const { files, drop } = await resolveInputs(app, uploads, wanted, {
    accountId,
    until: neededUntil(app.clock.now(), { queueMs: QUEUE_DEADLINE_MS, runMs: model.run_timeout_ms }),
    signal,
  });
  return { inputs: [...files].map(([param, file]) => ({ param, ...file })), drop };
}

/** Accepts a request with the files that it names. If no job results, files fetched for it are removed. */
export async function withInputs<Accepted extends { readonly replayed: boolean }>(
  app: App,
  uploads: UploadReceiver,
  asked: AcceptRequest,
  signal: AbortSignal,
  accept: (one: AcceptRequest) => Promise<Accepted>,
): Promise<Accepted> {
  const prepared = await prepareInputs(app, uploads, asked, signal);
  if (!prepared) return accept(asked);
  const { inputs, drop } = prepared;
  return orDrop(drop, () => accept({ ...asked, inputs }));
}

/** Accepts, and drops the fetched files if nothing new uses them. */
export async function orDrop<Accepted extends { readonly replayed: boolean }>(
  drop: () => Promise<void>,
  accept: () => Promise<Accepted>,
): Promise<Accepted> {
  try {
    const accepted = await accept();
    if (accepted.replayed) await drop();
    return accepted;
  } catch (error) {
    // A job may have been created after all; its files then stay until they expire.
    if (isRefusal(error)) await drop();
    throw error;
  }
}

/** Whether it is certain that nothing was made. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && !UNCERTAIN.has(error.code);
}

/** Finds a param that names a file which was not looked up. */
export function findMissingInput(
  { model, params }: { model: ModelDoc; params: Readonly<Record<string, unknown>> },
  inputs: readonly InputDoc[] = [],
): string | undefined {
  return wantedInputs(model, params).find(({ param }) => !inputs.some((input) => input.param === param))
    ?.param;
}

/** Which params of a request name files, and which kinds each accepts. */
export function wantedInputs(
  model: Pick<ModelDoc, "params_schema_json">,
  params: Readonly<Record<string, unknown>>,
): WantedInput[] {
  return [...inputParamsOf(model)].flatMap(([param, kinds]) => {
    const value = params[param];
    return typeof value === "string" ? [{ param, value, kinds }] : [];
  });
}

/**
 * Opens an input for the job's owner, and for providers that fetch files themselves. Throws job_not_found, and not_found if the file is no
 * longer stored.
 */
export async function openInput(
  app: App,
  { accountId, jobId, param, ...range }: { accountId: string; jobId: string; param: string } & ByteRange,
): Promise<OpenedOutput> {
  const { inputs = [] } = await findOwnJob(app, accountId, jobId);
  const input = inputs.find((one) => one.param === param);
  const opened = input && (await openFile(app, input.file_id, range));
  if (!opened) throw new AppError("not_found");
  return opened;
}

/** The inputs in the form that the job's provider gets. */
export function providerInputs(
  app: App,
  job: JobDoc,
  signal: AbortSignal,
): ReadonlyMap<string, ProviderInput> {
  if (!job.inputs) return NONE;
  return new Map(job.inputs.map((input) => [input.param, toProviderInput(app, job, input, signal)]));
}

function toProviderInput(app: App, job: JobDoc, input: InputDoc, signal: AbortSignal): ProviderInput {
  const { mime_type: mimeType, bytes, width, height, duration_seconds } = input;
  return {
    mimeType,
    bytes,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(duration_seconds !== null && { durationSeconds: duration_seconds }),
    read: () => untilBack(() => readInput(app, input), signal),
    url: signInputUrl(app, job, input.param),
  };
}

/** Throws a ProviderError if it is gone: its owner's account was deleted, or the object store does not answer. */
async function readInput(app: App, { file_id, bytes }: InputDoc): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  try {
    for await (const piece of readKept(app, file_id, { offset: 0, length: bytes })) {
      whole.set(piece, at);
      at += piece.length;
    }
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const retryable = error instanceof ObjectStoreError;
    throw new ProviderError("provider_failed", "An input of the job could not be read.", {
      retryable,
      cause: error,
    });
  }
  return whole;
}
