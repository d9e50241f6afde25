// Gives a step what it uses of earlier steps: the outputs that they have made, found and kept like any file that a request names.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { QUEUE_DEADLINE_MS } from "../jobs/rules.ts";
import type { InputDoc, JobDoc, JobErrorDoc } from "../jobs/store.ts";
import { resolveOutputs } from "../uploads/resolve.ts";
import { neededUntil } from "../uploads/rules.ts";
import type { StepDoc, WorkflowDoc } from "./store.ts";

/** What a step's job is given, or why it cannot be made. */
export type Bound =
  | { readonly params: JobDoc["params"]; readonly inputs: readonly InputDoc[] }
  | { readonly error: JobErrorDoc };

/** `jobs` are those of the steps, by their ids; everything that the step needs has completed. Safe to repeat. */
export async function bindStep(
  app: App,
  workflow: WorkflowDoc,
  step: StepDoc,
  jobs: ReadonlyMap<string, JobDoc>,
): Promise<Bound> {
  const job = jobs.get(step.job_id);
  if (!job) throw new Error(`job ${step.job_id} of workflow ${workflow._id} does not exist`);
  const { params, inputs = [] } = job;
  if (!step.inputs) return { params, inputs };
  const wanted = step.inputs.map(({ param, step: from, output, kinds }) => {
    const made = jobs.get(workflow.steps[from]?.job_id ?? "")?.outputs[output];
    return { param, value: made && !made.deleted_at ? made.output_id : undefined, kinds };
  });
  const there = wanted.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]));
  if (there.length < wanted.length) return { error: GONE };
  const until = neededUntil(app.clock.now(), { queueMs: QUEUE_DEADLINE_MS, runMs: job.run_timeout_ms });
  try {
    const files = await resolveOutputs(app, there, { accountId: workflow.account_id, until });
    return {
      params: { ...params, ...Object.fromEntries(there.map(({ param, value }) => [param, value])) },
      inputs: [...inputs, ...[...files].map(([param, file]) => ({ param, ...file }))],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "upload_not_found") return { error: GONE };
    if (error.code === "unsupported_input")
      return { error: { code: "input_unavailable", message: error.message } };
    throw error;
  }
}

const GONE: JobErrorDoc = {
  code: "input_unavailable",
  message: "An output of another step, which this step needs, does not exist or was deleted.",
};
