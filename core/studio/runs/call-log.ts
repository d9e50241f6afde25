// The calls of one run to providers, until the transaction that records the outcome: what each made, and what its provider reports about
// it.
import { ProviderError, type ProviderUsage } from "../../adapters/providers/provider.ts";
import type { App } from "../../kernel/app.ts";
import type { CallRecord } from "../costs/rules.ts";
import type { CallOutcome } from "../costs/store.ts";
import { checkUsage, type UsageFault } from "../jobs/delivery-rules.ts";
import type { JobDoc, JobErrorDoc } from "../jobs/store.ts";
import { routeOfCall, type Route } from "./route-rules.ts";

type Called = Pick<Route, "provider" | "provider_model">;

export type OneCall = {
  /** The first report counts. Impossible values are counted and left out. */
  readonly report: (usage: ProviderUsage) => void;
  /** Returns what was reported. */
  readonly made: (outputs: number) => ProviderUsage;
  readonly threw: (error: unknown) => void;
};

export type CallLog = {
  /** `reference` is the provider's own id of a call that it accepted earlier. */
  readonly begin: (route: Called, reference?: string) => OneCall;
  /** A call whose outcome became known without asking for its result. */
  readonly ended: (job: JobDoc, outcome: CallOutcome, usage?: ProviderUsage) => void;
  readonly records: readonly CallRecord[];
};

export function createCallLog({ metrics, log }: Pick<App, "metrics" | "log">): CallLog {
  const records: CallRecord[] = [];
  const add = ({ provider, provider_model }: Called, rest: Omit<CallRecord, keyof Called>) =>
    records.push({ provider, provider_model, ...rest });
  const refuse = (provider: string, fault: UsageFault) => {
    metrics
      .counter(
        "provider_usage_faults_total",
        "Reports of providers about what they made that could not be used; fault: negative, not_a_number, bad_currency or reported_twice.",
        ["provider", "fault"],
      )
      .inc({ provider, fault });
    log.warn({ provider, fault }, "a provider reported usage that cannot be right");
  };
  const checked = (provider: string, reported: ProviderUsage) => {
    const { usage, faults } = checkUsage(reported);
    for (const fault of faults) refuse(provider, fault);
    return usage;
  };

  return {
    records,
    begin: (route, known) => {
      let first: ProviderUsage | undefined;
      const end = (outcome: CallOutcome, outputs: number): ProviderUsage => {
        const usage = first ?? {};
        add(route, { outcome, outputs, usage, reference: usage.reference ?? known });
        return usage;
      };
      return {
        report: (reported) => {
          const usage = checked(route.provider, reported);
          // Fetching a result again brings the same report again.
          if (first === undefined) first = usage;
          else if (JSON.stringify(first) !== JSON.stringify(usage)) refuse(route.provider, "reported_twice");
        },
        made: (outputs) => end("made", outputs),
        threw: (error) =>
          void end(error instanceof ProviderError && !error.outcomeUnknown ? "failed" : "unknown", 0),
      };
    },
    ended: (job, outcome, reported = {}) => {
      const route = routeOfCall(job);
      const usage = checked(route.provider, reported);
      add(route, { outcome, outputs: 0, usage, reference: usage.reference ?? job.call?.reference });
    },
  };
}

/** The record of a call that ended while its job was suspended. */
export function endedWhileSuspended(
  app: Pick<App, "metrics" | "log">,
  job: JobDoc,
  { code }: Pick<JobErrorDoc, "code">,
  usage?: ProviderUsage,
): readonly CallRecord[] {
  if (!job.call) return [];
  const calls = createCallLog(app);
  calls.ended(job, code === "outcome_unknown" || code === "provider_timeout" ? "unknown" : "failed", usage);
  return calls.records;
}
