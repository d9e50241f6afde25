// What a provider adapter is. A provider's failure is data of the job, never an error of the service.
import type { JobRequest } from "../../proto/resources/job.ts";

/** What was asked for of the service, but for what is none of a provider's business. */
export type ProviderRequest = Readonly<
  Omit<JobRequest, "model_slug" | "params" | "metadata" | "callback_url" | "max_credits">
> & {
  /** The provider's own name of the model. */
  readonly model: string;
  /** Already checked against the model's params schema, defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What the operator configured for the model beside the prompt. */
  readonly options: Readonly<Record<string, unknown>>;
};

export type ProviderOutput = {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
};

export type ProviderCall = {
  /** Aborted at the run deadline, on lost leases and on shutdown. An adapter must stop soon after. */
  readonly signal: AbortSignal;
  /** The same for every try of one job, so that a provider that knows it repeats nothing. */
  readonly idempotencyKey: string;
  /** Most that all answers to one try may come to. */
  readonly maxBytes: number;
  /** Waited for before more than a few megabytes are taken in. The room is kept until what was made is stored. */
  readonly makeRoom: () => Promise<void>;
  /** Fraction done, 0..1. May be called as often as the adapter likes; the caller thins it out. */
  readonly onProgress: (fraction: number) => void;
};

export const PROVIDER_FAILURES = [
  "provider_failed",
  "provider_refused",
  "provider_bad_answer",
  "provider_unavailable",
] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/** Why a call failed, in words fit for the job's owner: no host names, no keys, no stack. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;
  /** True where the same call may work in a moment (429, 5xx, no connection). */
  readonly retryable: boolean;
  /** How long the provider asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: ProviderFailure,
    message: string,
    options: { retryable?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export type LookupResult =
  | { readonly state: "done"; readonly outputs: readonly ProviderOutput[] }
  | { readonly state: "failed"; readonly error: ProviderError }
  | { readonly state: "never_started" }
  | { readonly state: "unknown" };

export type Provider = {
  /** What models name it by. */
  readonly name: string;
  /** True where calling again after an unknown outcome costs nothing twice. */
  readonly safeToRepeat: boolean;
  /** At least one output. Throws ProviderError, or the signal's reason once it is aborted. */
  generate(request: ProviderRequest, call: ProviderCall): Promise<readonly ProviderOutput[]>;
  /** What became of an earlier call, where the provider can tell. */
  lookup?(idempotencyKey: string, signal: AbortSignal): Promise<LookupResult>;
  close?(): Promise<void>;
};

export type Providers = ReadonlyMap<string, Provider>;
