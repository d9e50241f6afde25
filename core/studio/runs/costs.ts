// The operator's costs of a run's calls, for the transaction that records how the calls ended.
import { characters } from "../../../proto/resources/job.ts";
import type { App } from "../../kernel/app.ts";
import { type CallRecord, rateOf, toCostDoc } from "../costs/rules.ts";
import type { CostDoc } from "../costs/store.ts";
import type { Claim } from "../jobs/local-dispatch.ts";

/** A run of a job, with the calls that it made to providers. */
export type CalledRun = {
  readonly claim: Claim;
  readonly calls?: readonly CallRecord[] | undefined;
};

/** Uses the current rates of the models. Reads nothing if no call was made. */
export async function costsOf(
  app: Pick<App, "models">,
  runs: readonly CalledRun[],
): Promise<(at: Date) => readonly CostDoc[]> {
  const called = runs.filter(({ calls = [] }) => calls.length > 0);
  if (called.length === 0) return () => [];
  const models = await app.models();
  return (at) =>
    called.flatMap(({ claim: { job, epoch }, calls = [] }) => {
      const model = models.get(job.model_slug);
      const costed = { ...job, characters: model?.costs ? characters(job.prompt) : 0 };
      return calls.flatMap(
        (call, number) => toCostDoc(call, costed, { rate: rateOf(model, call), at, epoch, number }) ?? [],
      );
    });
}
