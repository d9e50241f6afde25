// The interface of a provider adapter. A provider's failure is data of the job, never an error of the service.
import type { JobRequest, Understood } from "../../../proto/resources/job.ts";

/** The request, without the parts that do not concern a provider. */
export type ProviderRequest = Readonly<
  Omit<
    JobRequest,
    | "model_slug"
    | "params"
    | "metadata"
    | "callback_url"
    | "max_credits"
    | "allow_partial"
    | "expires_in"
    | "keep_days"
  >
> & {
  /** The provider's own name for the model. */
  readonly model: string;
  /** Already checked against the model's params schema, with defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The operator's options for the model in addition to the prompt. */
  readonly options: Readonly<Record<string, unknown>>;
};

/** What a provider can check before a job exists. */
export type Predicted = Pick<ProviderRequest, "model" | "prompt" | "params">;

export type ProviderOutput = {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
  /** Which parts of the prompt the file shows, if the provider can tell. */
  readonly understood?: Understood;
  /** True if rules drew it, and not a trained model. */
  readonly drawnByRules?: boolean;
  /** For a video, if the adapter has one: a picture of its content, as PNG, JPEG or WebP. Thumbnails are made from it. */
  readonly poster?: Uint8Array;
};

/** A file of a param, checked and stored by the service: an upload, an output of an earlier job, or the file at a URL. */
export type ProviderInput = {
  /** The media type, by its content. */
  readonly mimeType: string;
  /** Size in bytes. */
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
  readonly read: () => Promise<Uint8Array>;
  /** The address at which the provider can fetch it itself: signed, and valid for as long as the job may run. */
  readonly url: string;
};

/** A provider's report about a call that has ended. None of it is certain. */
export type ProviderUsage = {
  /** The seconds of video or audio that it made. */
  readonly seconds?: number;
  /** The number of files that it made. */
  readonly outputs?: number;
  /** The billed cost of the call, as a decimal number of the currency (ISO 4217). */
  readonly cost?: { readonly amount: number; readonly currency: string };
  /** Its own id of the call, by which a bill names it. */
  readonly reference?: string;
};

export type ProviderCall = {
  /** Aborted at the run deadline, on lost leases and on shutdown. An adapter must stop soon after. */
  readonly signal: AbortSignal;
  /** The same for every attempt of one job, so that a deduplicating provider repeats nothing. */
  readonly idempotencyKey: string;
  /** The most bytes that all answers to one attempt may have. */
  readonly maxBytes: number;
  /** Must be awaited before more than a few megabytes are received. The reservation is kept until the files are stored. */
  readonly reserveMemory: () => Promise<void>;
  /** The fraction done, 0..1. It may be called as often as the adapter likes; the caller limits the rate. */
  readonly onProgress: (fraction: number) => void;
  /** Reports what the provider says that it made, before the call ends. Only the first report of a call counts. */
  readonly onUsage: (usage: ProviderUsage) => void;
  /** The files by the names of their params. */
  readonly inputs: ReadonlyMap<string, ProviderInput>;
  /** Where the provider may report that the call has ended; absent if the service cannot be reached from outside. */
  readonly webhookUrl?: string;
  /** For `collect`: the job's time is over, so a file that cannot be fetched now is left out. */
  readonly isLast?: boolean;
};

/**
 * The provider works on the call, and any worker can ask about it later, however often workers are lost. `handle` is everything that the
 * adapter needs for that, as text of at most 4,096 characters; only the adapter reads it.
 */
export type AcceptedCall = {
  readonly handle: string;
  /** The provider's own id of the call, by which a bill names it. */
  readonly reference?: string;
  /** When to ask first: by the provider's hint, or else by the adapter's own knowledge. */
  readonly pollAfterMs?: number;
};

/** The state of a call that a provider accepted. */
export type Polled =
  | {
      readonly state: "running";
      /** The fraction done, 0..1. */
      readonly progress?: number;
      /** The number of calls before it in the provider's queue. */
      readonly position?: number;
      readonly pollAfterMs?: number;
    }
  /** It is made, and `collect` fetches it, within the limits of `call`. Throws what `start` throws. */
  | { readonly state: "made"; readonly collect: (call: ProviderCall) => Promise<readonly ProviderOutput[]> }
  | { readonly state: "failed"; readonly error: ProviderError; readonly usage?: ProviderUsage }
  /** It was cancelled in time. */
  | { readonly state: "cancelled" };

export const PROVIDER_FAILURES = [
  "provider_failed",
  "provider_refused",
  "provider_bad_answer",
  "provider_unavailable",
] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/** Why a call failed, as text for the job's owner: no host names, no keys, no stack. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;
  /** True if the same call may work in a moment (429, 5xx, no connection). */
  readonly retryable: boolean;
  /** The provider's requested wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For `start`: no one knows whether the provider accepted the call. It may still report it by webhook. */
  readonly outcomeUnknown: boolean;

  constructor(
    failure: ProviderFailure,
    message: string,
    options: { retryable?: boolean; retryAfterMs?: number; outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

export type LookupResult =
  | { readonly state: "done"; readonly outputs: readonly ProviderOutput[] }
  | { readonly state: "failed"; readonly error: ProviderError }
  | { readonly state: "never_started" }
  | { readonly state: "unknown" };

/** A short question about a call that was accepted. */
export type PollCall = {
  readonly request: ProviderRequest;
  readonly signal: AbortSignal;
};

/** The message at the address that a call was given, byte for byte. */
export type WebhookDelivery = {
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Not sent by the provider, altered on the way, or too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

export type Prediction = {
  /** What a picture would show; undefined if the model cannot tell. */
  readonly understood?: Understood | undefined;
  /** Why the model can make nothing of the prompt, as the message of an issue; undefined if it can, or cannot tell. */
  readonly refusal?: string | undefined;
};

export type Provider = {
  /** The name by which models refer to it. */
  readonly name: string;
  /** True if repeating a call with an unknown outcome costs nothing twice. */
  readonly safeToRepeat: boolean;
  /** Returns at least one output, or the handle of what is being made. Throws ProviderError, or the signal's reason once it is aborted. */
  start(request: ProviderRequest, call: ProviderCall): Promise<readonly ProviderOutput[] | AcceptedCall>;
  /**
   * Asks once, at little cost; throws ProviderError (retryable) if the provider cannot be asked. Present whenever `start` returns handles.
   */
  poll?(handle: string, call: PollCall): Promise<Polled>;
  /** Sends a cancellation to the provider; `poll` reports its effect. Absent if the provider has no cancellation. */
  cancel?(handle: string, call: PollCall): Promise<void>;
  /**
   * Checks, if the provider signs its messages, that it has sent this one (else throws WebhookRefused). Returns the handle of the call, if
   * the message names it. Nothing else in the message is trusted. Absent if the provider sends none.
   */
  webhook?(delivery: WebhookDelivery, call: PollCall): Promise<string | undefined>;
  /** True if aborting `start` ends the work itself, and no one pays for it. */
  readonly stopsWhenAborted?: boolean;
  /** What the model would make of a prompt, without making it. It is fast, and calls no one. */
  understand?(request: Predicted): Promise<Prediction>;
  /** The refusal of it alone, inside the transaction that accepts the request. */
  refuse?(request: Predicted): Prediction["refusal"];
  /** Loads what the first of these calls would load otherwise. */
  warm?(): Promise<void>;
  /** Loads what the first start would load otherwise. */
  warmStart?(): Promise<void>;
  /** The outcome of an earlier call, if the provider can tell. */
  lookup?(idempotencyKey: string, signal: AbortSignal): Promise<LookupResult>;
  close?(): Promise<void>;
};

export type Providers = ReadonlyMap<string, Provider>;
