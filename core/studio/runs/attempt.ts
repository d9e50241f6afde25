// What an attempt to get a job's files knows, and how it may end.
import type {
  Provider,
  ProviderCall,
  ProviderOutput,
  ProviderUsage,
} from "../../adapters/providers/provider.ts";
import type { App } from "../../kernel/app.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import type { JobErrorDoc } from "../jobs/store.ts";
import type { Limiters } from "../limits/limiters.ts";
import type { CallLog } from "./call-log.ts";
import type { Suspension } from "./calls.ts";
import type { JobProgress } from "./progress.ts";
import type { Route } from "./route-rules.ts";

/** The job's files, or that it waits for its provider, or that it has ended. */
export type FetchResult =
  | { readonly outputs: readonly ProviderOutput[]; readonly usage: ProviderUsage }
  | Suspension
  | { readonly error: JobErrorDoc };

export type Attempt = {
  readonly app: App;
  readonly limiters: Limiters;
  readonly claim: Claim;
  readonly call: ProviderCall;
  readonly progress: JobProgress;
  readonly calls: CallLog;
  /** When the run's deadline passes, as a value of performance.now(). */
  readonly endsAtMs: number;
  readonly cancellation: Cancellation;
};

/** The signal is aborted when the job's owner wants it cancelled; `cancelCall` then ends the call. */
export type Cancellation = { readonly signal: AbortSignal; readonly cancelCall: () => void };
/** An attempt at one of the job's providers. */
export type Calling = Attempt & {
  readonly provider: Provider;
  readonly route: Route;
  /** The position of this route among the job's routes. */
  readonly place: number;
  /** Called once, when the provider may be called. */
  readonly onEntered?: () => void;
};
