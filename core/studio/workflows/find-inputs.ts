// The files that the steps of a workflow are given from outside: found, or fetched, before it is accepted, and kept for as long as the last
// of its steps may run.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { wantedInputs } from "../jobs/inputs.ts";
import { QUEUE_DEADLINE_MS } from "../jobs/rules.ts";
import type { InputDoc } from "../jobs/store.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import { resolveInputs } from "../uploads/resolve.ts";
import { neededUntil } from "../uploads/rules.ts";
import { type CheckedStep, type CheckedWorkflow, inStep } from "./check-workflow.ts";
import { longestWays } from "./graph-rules.ts";

export type FoundInputs = {
  /** For each step, by its position; empty if it is given nothing from outside. */
  readonly files: readonly (readonly InputDoc[])[];
  /** Removes what was fetched if no workflow was made. */
  drop(): Promise<void>;
};

/** The params of a step that name files which exist already. */
export function wantedOutside({ checked: { model, params }, inputs }: CheckedStep) {
  return wantedInputs(model, params).filter(({ param }) => !inputs.some((input) => input.param === param));
}

/** Throws the errors of a single request, naming the step. Then nothing that was fetched is left. */
export async function findInputs(
  app: App,
  receiver: UploadReceiver,
  { graph, steps }: CheckedWorkflow,
  { accountId, names, signal }: { accountId: string; names: readonly string[]; signal: AbortSignal },
): Promise<FoundInputs> {
  const runsMs = longestWays(
    graph,
    steps.map(({ checked }) => checked.model.run_timeout_ms),
  );
  const queuesMs = longestWays(
    graph,
    steps.map(() => QUEUE_DEADLINE_MS),
  );
  const at = app.clock.now();
  const files: InputDoc[][] = [];
  const drops: (() => Promise<void>)[] = [];
  const drop = async () => {
    await Promise.all(drops.map((each) => each()));
  };
  for (const [place, step] of steps.entries()) {
    const wanted = wantedOutside(step);
    if (wanted.length === 0) {
      files.push([]);
      continue;
    }
    const until = neededUntil(at, { queueMs: queuesMs[place] ?? 0, runMs: runsMs[place] ?? 0 });
    try {
      const found = await resolveInputs(app, receiver, wanted, { accountId, until, signal });
      drops.push(() => found.drop());
      files.push([...found.files].map(([param, file]) => ({ param, ...file })));
    } catch (error) {
      await drop();
      throw error instanceof AppError ? inStep(error, { id: names[place] ?? "" }, place) : error;
    }
  }
  return { files, drop };
}
