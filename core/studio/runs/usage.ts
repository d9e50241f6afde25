// What a provider reports of one call: the first report counts, and what cannot be right is counted and left out.
import type { App } from "../../kernel/app.ts";
import type { Provider, ProviderUsage } from "../../adapters/providers/provider.ts";
import { checkUsage, type UsageFault } from "../jobs/delivery-rules.ts";

export type CallUsage = {
  readonly report: (usage: ProviderUsage) => void;
  readonly reported: () => ProviderUsage;
};

export function createUsage(
  { metrics, log }: Pick<App, "metrics" | "log">,
  { name: provider }: Pick<Provider, "name">,
): CallUsage {
  let first: ProviderUsage | undefined;
  const refuse = (fault: UsageFault) => {
    metrics
      .counter(
        "provider_usage_faults_total",
        "Reports of providers about what they made that could not be used; fault: negative, not_a_number or reported_twice.",
        ["provider", "fault"],
      )
      .inc({ provider, fault });
    log.warn({ provider, fault }, "a provider reported usage that cannot be right");
  };
  return {
    reported: () => first ?? {},
    report: (reported) => {
      const { usage, faults } = checkUsage(reported);
      for (const fault of faults) refuse(fault);
      // Fetching a result again brings the same report again.
      if (first === undefined) first = usage;
      else if (JSON.stringify(first) !== JSON.stringify(usage)) refuse("reported_twice");
    },
  };
}
