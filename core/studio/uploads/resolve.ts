// Finds the files that a request names, fetches those elsewhere, and keeps all of them for as long as the job may run.
import { AppError } from "../../../proto/codes.ts";
import type { Modality } from "../../../proto/resources/job.ts";
import type { App } from "../../kernel/app.ts";
import { keepForJob } from "../../kernel/outputs/keep.ts";
import { findOwnOutput } from "../../kernel/outputs/open.ts";
import { readInputValue } from "../models/input-params.ts";
import { findOwnUpload } from "./own-uploads.ts";
import { dropUpload, type UploadReceiver, receiveUpload } from "./receive.ts";
import { otherKind } from "./rules.ts";
import type { ReadyUpload, UploadInfo } from "./store.ts";

export type InputFile = UploadInfo & { file_id: string };

export type WantedInput = {
  readonly param: string;
  /** As the request named it. */
  readonly value: string;
  readonly kinds: readonly Modality[];
};

export type ResolvedInputs = {
  /** By the name of the param. */
  readonly files: ReadonlyMap<string, InputFile>;
  /** Removes fetched files if no job was made. */
  drop(): Promise<void>;
};

type Resolving = { accountId: string; until: Date; signal: AbortSignal };

/**
 * Resolves all files or none. Throws upload_not_found, the same for a file that never existed, belongs to another account or has expired;
 * unsupported_input, upload_too_large and input_unreachable, which name the param; rate_limited if the account has no place free.
 */
export async function resolveInputs(
  app: App,
  receiver: UploadReceiver,
  wanted: readonly WantedInput[],
  resolving: Resolving,
): Promise<ResolvedInputs> {
  const { accountId } = resolving;
  const addresses = wanted.filter(isAddress);
  // A request with more addresses than free places fetches the rest as its first files arrive.
  const places =
    addresses.length > 0 ? receiver.places.takeSome({ account: accountId }, addresses.length) : [];
  const fetched: string[] = [];
  const drop = async () => {
    await Promise.all(fetched.map((_id) => dropUpload(app, { _id, account_id: accountId })));
  };
  // The other downloads stop when one is refused, and are awaited, so that nothing is stored afterwards.
  const failing = new AbortController();
  let refusal: unknown;
  const signal = AbortSignal.any([resolving.signal, failing.signal]);
  const found = new Map<string, InputFile>();
  const findAll = async (inputs: Iterable<WantedInput>) => {
    for (const input of inputs)
      try {
        signal.throwIfAborted();
        const { file, origin } = await find(app, receiver, input, { ...resolving, signal });
        if (origin === "fetched") fetched.push(file.file_id);
        found.set(input.param, file);
      } catch (error) {
        refusal ??= nameParam(error, input.param);
        failing.abort(error);
      }
  };
  const queue = addresses.values();
  await Promise.all([
    ...wanted.filter((input) => !isAddress(input)).map((input) => findAll([input])),
    ...places.map((leave) => findAll(queue).finally(leave)),
  ]);
  if (refusal !== undefined) {
    await drop();
    throw refusal;
  }
  const files = new Map(
    wanted.flatMap(({ param }) => {
      const file = found.get(param);
      return file ? [[param, file]] : [];
    }),
  );
  const ids = new Set([...files.values()].map(({ file_id }) => file_id));
  if (!(await keepForJob(app, [...ids], resolving.until))) {
    await drop();
    throw new AppError("upload_not_found");
  }
  return { files, drop };
}

/** Like resolveInputs for outputs alone, which need no download: the inputs that one workflow step receives from another. */
export async function resolveOutputs(
  app: App,
  wanted: readonly WantedInput[],
  { accountId, until }: Omit<Resolving, "signal">,
): Promise<ReadonlyMap<string, InputFile>> {
  const files = new Map<string, InputFile>();
  for (const { param, value, kinds } of wanted)
    files.set(param, fitting(await findOutputFile(app, accountId, value), kinds));
  const ids = [...new Set([...files.values()].map(({ file_id }) => file_id))];
  if (!(await keepForJob(app, ids, until))) throw new AppError("upload_not_found");
  return files;
}

function isAddress({ value }: WantedInput): boolean {
  return readInputValue(value) === "address";
}

type Found = { file: InputFile; origin: "own" | "fetched" };

async function find(
  app: App,
  receiver: UploadReceiver,
  { value, kinds }: WantedInput,
  { accountId, until, signal }: Resolving,
): Promise<Found> {
  switch (readInputValue(value)) {
    case "upload":
      return { origin: "own", file: fitting(toFile(await findOwnUpload(app, accountId, value)), kinds) };
    case "output":
      return { origin: "own", file: fitting(await findOutputFile(app, accountId, value), kinds) };
    case "address": {
      const upload = await receiveUpload(app, receiver, accountId, {
        pieces: receiver.addresses.fetch(value, signal),
        origin: "fetched",
        expiresAt: until,
        kinds,
        signal,
      });
      return { origin: "fetched", file: toFile(upload) };
    }
    default:
      throw new Error("a value of an input that its schema lets through is known here");
  }
}

function toFile({ _id, facts }: ReadyUpload): InputFile {
  return { ...facts, file_id: _id };
}

async function findOutputFile(app: App, accountId: string, outputId: string): Promise<InputFile> {
  const output = await findOwnOutput(app, { accountId, outputId });
  if (!output) throw new AppError("upload_not_found");
  const { mime_type, bytes, sha256, width, height, duration_seconds } = output;
  const kind = mime_type.slice(0, mime_type.indexOf("/")) as Modality;
  return { kind, mime_type, bytes, sha256, width, height, duration_seconds, file_id: outputId };
}

function fitting(file: InputFile, kinds: readonly Modality[]): InputFile {
  if (kinds.includes(file.kind)) return file;
  throw otherKind(file.kind, kinds);
}

/** The input that the error is about. */
function nameParam(error: unknown, param: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, retryAfterSeconds } = error;
  return new AppError(code, {
    message,
    hint,
    issues: [{ path: `params.${param}`, message }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
