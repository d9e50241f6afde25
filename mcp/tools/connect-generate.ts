// The tool connect_generate: the same operation as POST /api/v1/connect/generate.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import {
  generateDeadline,
  generateResultSchema,
  idempotencyKeySchema,
  toGenerateRequest,
} from "../../proto/resources/job.ts";
import { withApproval } from "../jobs/approval.ts";
import { outcomeSchema, toOutcome } from "../jobs/outcome.ts";
import { previewSchema } from "../jobs/preview.ts";
import { jobTasks, toTask } from "../jobs/task.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitInWords } from "../protocol/wait-in-words.ts";
import { generationArguments } from "./generation-arguments.ts";
import { waitForNewJob, waitSecondsSchema } from "./wait.ts";

export const connectGenerate = defineTool({
  name: "connect_generate",
  title: "Generate an image, video or audio",
  endpoints: ["generation", "member with the API"],
  description: [
    "Starts one job from a text prompt and returns its job_id. Then call get_job; or set wait_seconds to get the files here.",
    "Costs the credits that list_models shows: reserved now, charged at the start, refunded in full if the job fails.",
    "A repeat with the same idempotency_key makes no second job.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  checksKey: true,
  input: generationArguments.extend({
    idempotency_key: idempotencyKeySchema
      .optional()
      .describe("Your own name for this job, in ASCII without spaces."),
    wait_seconds: waitSecondsSchema,
    preview: previewSchema,
  }),
  output: outcomeSchema.partial({ credits_charged: true, outputs: true, error: true }).extend({
    replayed: z
      .boolean()
      .optional()
      .describe("True: an earlier call with this idempotency_key made the job."),
  }),
  tasks: jobTasks,
  async handle({ idempotency_key, wait_seconds, preview, ...body }, context) {
    await context.countGeneration();
    const call = { ...context.call, ...generateDeadline(body) };
    const reply = await withApproval(context, (approvedId) =>
      context.core.jobs.Generate(toGenerateRequest(body, idempotency_key, approvedId), call),
    );
    const { replayed } = reply;
    const note = replayed
      ? "This idempotency_key was used before: this is the job of the first call, and nothing was reserved again.\n"
      : "";

    const watched = wait_seconds > 0 || context.takesTasks;
    const job = watched ? await waitForNewJob(context, reply.job_id, wait_seconds) : undefined;
    if (!job) {
      const accepted = { ...fromMessage(generateResultSchema, reply), replayed };
      return { text: note + describeAccepted(accepted, preview), structured: accepted };
    }
    const { core, call: asked } = context;
    const outcome = await toOutcome(job, { core, call: asked, preview });
    return {
      ...outcome,
      text: note + outcome.text,
      structured: { ...outcome.structured, replayed },
      ...(job.ended_at === null && { task: toTask(job, { preview }) }),
    };
  },
});

function describeAccepted(
  {
    job_id,
    state,
    modality,
    model_slug: model,
    credits_reserved,
    estimated_seconds,
  }: z.output<typeof generateResultSchema>,
  preview = false,
): string {
  return [
    `Job ${job_id}: ${state} (${modality}, ${model}).`,
    `Credits reserved: ${credits_reserved}. It takes about ${waitInWords(estimated_seconds)} once it runs.`,
    `Next: call get_job with this job_id${preview ? ", preview" : ""} and wait_seconds up to 45 until the job has ended.`,
  ].join("\n");
}
