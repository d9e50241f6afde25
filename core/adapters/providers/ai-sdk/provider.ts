// Runs any image, speech or video model of the Vercel AI SDK, by configuration alone.
import { AsyncLocalStorage } from "node:async_hooks";
import { fileURLToPath } from "node:url";
import {
  experimental_generateVideo as generateVideo,
  type GeneratedFile,
  generateImage,
  generateSpeech,
  type ImageModel,
  type JSONValue,
  type SpeechModel,
  experimental_startVideo as startVideo,
} from "ai";
import type { Clock } from "../../../../runtime/clock.ts";
import type { Logger } from "../../../../runtime/log/log.ts";
import { StartupError } from "../../../../runtime/process/startup-error.ts";
import type { Resolve } from "../../../base/outbound/dial.ts";
import { fetchFile } from "../fetch-file.ts";
import { inspectMade } from "../media.ts";
import { createProviderFetch, type DownloadLimits } from "../provider-fetch.ts";
import {
  type AcceptedCall,
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderRequest,
} from "../provider.ts";
import { decodeAnswers } from "./decode-answers.ts";
import { toProviderError } from "./failure.ts";
import { imageInputs, otherInputs, videoInputs } from "./inputs.ts";
import { givesHandles, type VideoHandleLine, pollVideo, type VideoModel } from "./video-handles.ts";

export type AiSdkEntry = {
  package: string;
  export: string;
  options: Record<string, unknown>;
  privateHosts?: readonly string[];
};

/** The model constructors that a provider package may have; older packages have only the short names. */
type SdkProvider = {
  imageModel?: (id: string) => ImageModel;
  image?: (id: string) => ImageModel;
  speechModel?: (id: string) => SpeechModel;
  speech?: (id: string) => SpeechModel;
  videoModel?: (id: string) => VideoModel;
  video?: (id: string) => VideoModel;
};

/** Loads the package. Throws if it cannot be loaded or has no such export, with a message for the operator. */
export async function createAiSdkProvider(
  name: string,
  entry: AiSdkEntry,
  deps: { log: Logger; clock: Clock; resolve?: Resolve },
): Promise<Provider> {
  const log = deps.log.child({ provider: name });
  // The SDK would print warnings to the console; an unsupported setting belongs in the service's log.
  globalThis.AI_SDK_LOG_WARNINGS = ({ warnings, model }) =>
    deps.log.debug({ model, warnings }, "the provider ignored some settings");
  // The SDK calls fetch, and does not say for which job.
  const jobs = new AsyncLocalStorage<DownloadLimits>();
  const net = createProviderFetch({
    options: entry.options,
    privateHosts: entry.privateHosts ?? [],
    ...(deps.resolve && { resolve: deps.resolve }),
  });
  const jobFetch: typeof fetch = async (input, init) => {
    const taking = jobs.getStore();
    if (!taking) throw new Error(`${entry.package} made a request outside of a call`);
    return net.fetchFor(taking)(input, init);
  };
  const sdk = await loadSdkProvider(name, entry, jobFetch);
  const line: VideoHandleLine = {
    fetch: jobFetch,
    run: (taking, work) => jobs.run(taking, work),
    now: () => deps.clock.now(),
  };
  return {
    name,
    close: net.close,
    // It is unknown whether an interrupted call was executed and billed.
    safeToRepeat: false,
    poll: async (handle, call) => pollVideo(line, videoModel(sdk, call.request), handle, call),
    async start(request, call) {
      let answer: readonly GeneratedFile[] | AcceptedCall;
      try {
        const taking: DownloadLimits = {
          maxBytes: call.maxBytes,
          reserveMemory: call.reserveMemory,
          receivedBytes: 0,
        };
        answer = await jobs.run(taking, () => callModel(sdk, request, call, jobFetch));
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        const failure = toProviderError(error, deps.clock.now());
        log.warn(
          {
            model: request.model,
            failure: failure.failure,
            reason: errorName(error),
            retryAfterMs: failure.retryAfterMs,
          },
          failure.message,
        );
        throw failure;
      }
      return "handle" in answer ? answer : inspectMade(answer.map(decodeFile), request);
    },
  };
}

/** The folder is next to the service's own packages, which an upgrade reinstalls. Node also searches there. */
const INSTALL_FOLDER = fileURLToPath(new URL("../../../..", import.meta.url));

function whyNot(packageName: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${packageName}'`);
  return isMissing
    ? `${packageName} is not installed. Install it with: npm install --prefix ${INSTALL_FOLDER} ${packageName}`
    : `${packageName} fails: ${message.split("\n")[0]}`;
}

async function loadSdkProvider(
  name: string,
  entry: AiSdkEntry,
  providerFetch: typeof fetch,
): Promise<SdkProvider> {
  const loaded: unknown = await import(entry.package).catch((error: unknown) => {
    throw new StartupError(`The provider "${name}" cannot be loaded: ${whyNot(entry.package, error)}`);
  });
  const create: unknown =
    typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, entry.export) : undefined;
  if (typeof create !== "function")
    throw new StartupError(
      `The provider "${name}" cannot be loaded: ${entry.package} has no export ${entry.export}.`,
    );
  const provider: unknown = create({ ...entry.options, fetch: providerFetch });
  if (provider === null || (typeof provider !== "object" && typeof provider !== "function")) {
    throw new StartupError(
      `The provider "${name}" cannot be loaded: ${entry.export} of ${entry.package} does not make a provider.`,
    );
  }
  return provider as SdkProvider;
}

async function callModel(
  sdk: SdkProvider,
  request: ProviderRequest,
  call: ProviderCall,
  providerFetch: typeof fetch,
): Promise<readonly GeneratedFile[] | AcceptedCall> {
  const settings = settingsOf(request, call);
  // The core retries, and counts; a hidden retry would be charged twice.
  const common = {
    maxRetries: 0,
    abortSignal: call.signal,
    headers: { "Idempotency-Key": call.idempotencyKey },
  };
  switch (request.modality) {
    case "image": {
      const model = sdk.imageModel?.(request.model) ?? sdk.image?.(request.model);
      if (!model) throw noSuchModel(request);
      const { named, other } = imageSettings(settings);
      const { asked, addresses } = await imageInputs(request, call);
      const { images, responses } = await generateImage({
        model: typeof model === "string" ? model : decodeAnswers(model),
        ...asked,
        ...named,
        ...common,
        ...providerOptions(model, { ...other, ...addresses }),
      });
      reportReference(call, responses);
      return images;
    }
    case "audio": {
      const model = sdk.speechModel?.(request.model) ?? sdk.speech?.(request.model);
      if (!model) throw noSuchModel(request);
      const { named, other } = speechSettings(settings);
      const { audio, responses } = await generateSpeech({
        model: typeof model === "string" ? model : decodeAnswers(model),
        text: request.prompt,
        ...named,
        ...common,
        ...providerOptions(model, { ...other, ...otherInputs(call) }),
      });
      reportReference(call, responses);
      return [audio];
    }
    case "video": {
      const model = videoModel(sdk, request);
      const { named, other } = videoSettings(settings);
      const { asked, addresses } = await videoInputs(request, call);
      const wanted = {
        model: typeof model === "string" ? model : decodeAnswers(model),
        ...asked,
        ...named,
        ...common,
        ...providerOptions(model, { ...other, ...addresses }),
      };
      if (givesHandles(model)) {
        const { operation } = await startVideo(wanted);
        return { handle: JSON.stringify(operation ?? null) };
      }
      const { videos } = await generateVideo({
        ...wanted,
        download: (file) => fetchFile(providerFetch, file),
      });
      return videos;
    }
  }
}

/** Providers name a request in a header. If there were several requests, none stands for the call. */
function reportReference(
  call: ProviderCall,
  responses: readonly { readonly headers?: Readonly<Record<string, string>> }[],
): void {
  const [only, another] = responses;
  const reference = only?.headers?.["x-request-id"] ?? only?.headers?.["request-id"];
  if (reference !== undefined && !another) call.onUsage({ reference });
}

function videoModel(sdk: SdkProvider, request: ProviderRequest): VideoModel {
  const model = sdk.videoModel?.(request.model) ?? sdk.video?.(request.model);
  if (!model) throw noSuchModel(request);
  return model;
}

type Settings = Readonly<Record<string, unknown>>;

/** The operator's settings and the customer's params; files are passed separately. */
function settingsOf({ options, params }: ProviderRequest, { inputs }: ProviderCall): Settings {
  const values = Object.entries(params).filter(([name]) => !inputs.has(name));
  return { ...options, ...Object.fromEntries(values) };
}

/** Translates the service's names of params to the SDK's. A param without a common name goes to the provider under its own. */
function imageSettings({ count, seed, size, width, height, aspect_ratio, ...other }: Settings) {
  const named = {
    ...number("n", count),
    ...number("seed", seed),
    ...pixels("size", size, width, height),
    ...ratio(aspect_ratio),
  };
  return { named, other };
}

function speechSettings({ voice, speed, language, instructions, output_format, ...other }: Settings) {
  const named = {
    ...text("voice", voice),
    ...number("speed", speed),
    ...text("language", language),
    ...text("instructions", instructions),
    ...text("outputFormat", output_format),
  };
  return { named, other };
}

function videoSettings({
  seed,
  fps,
  duration_seconds,
  resolution,
  width,
  height,
  aspect_ratio,
  ...other
}: Settings) {
  const named = {
    ...number("seed", seed),
    ...number("fps", fps),
    ...number("duration", duration_seconds),
    ...pixels("resolution", resolution, width, height),
    ...ratio(aspect_ratio),
  };
  return { named, other };
}

function number<Name extends string>(name: Name, value: unknown): { [K in Name]?: number } {
  return (typeof value === "number" ? { [name]: value } : {}) as { [K in Name]?: number };
}

function text<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return (typeof value === "string" ? { [name]: value } : {}) as { [K in Name]?: string };
}

function pixels<Name extends string>(
  name: Name,
  size: unknown,
  width: unknown,
  height: unknown,
): { [K in Name]?: `${number}x${number}` } {
  const given = typeof size === "string" ? size : `${String(width)}x${String(height)}`;
  return (/^\d+x\d+$/.test(given) ? { [name]: given } : {}) as { [K in Name]?: `${number}x${number}` };
}

function ratio(value: unknown): { aspectRatio?: `${number}:${number}` } {
  const [, width, height] = /^(\d+):(\d+)$/.exec(typeof value === "string" ? value : "") ?? [];
  return width && height ? { aspectRatio: `${Number(width)}:${Number(height)}` } : {};
}

/** The rest, under the provider package's own name ("openai.image" gives openai). */
function providerOptions(
  model: ImageModel | SpeechModel | VideoModel,
  other: Settings,
): { providerOptions?: Record<string, Record<string, JSONValue>> } {
  if (typeof model === "string" || Object.keys(other).length === 0) return {};
  const [id = ""] = model.provider.split(".");
  // Params and options both come from JSON.
  return { providerOptions: { [id]: other as Record<string, JSONValue> } };
}

function decodeFile(file: GeneratedFile): Uint8Array {
  try {
    return file.uint8Array;
  } catch {
    throw new ProviderError("provider_bad_answer", "The provider's answer could not be decoded.");
  }
}

function noSuchModel({ modality }: ProviderRequest): ProviderError {
  return new ProviderError("provider_failed", `The provider makes no ${modality}.`);
}

/** Only the kind of error: messages of providers have been seen to quote keys. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
