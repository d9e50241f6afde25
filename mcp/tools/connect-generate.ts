// Tool connect_generate: the same operation as POST /api/v1/connect/generate.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import {
  generateDeadline,
  generateResultSchema,
  generateRequestSchema,
  idempotencyKeySchema,
  toGenerateRequest,
} from "../../proto/resources/job.ts";
import { outcomeSchema, toOutcome } from "../jobs/outcome.ts";
import { waitInWords } from "../jobs/wait-in-words.ts";
import { toTask } from "../jobs/task.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitForNewJob, waitSecondsSchema } from "./wait.ts";

const { model_slug, prompt } = generateRequestSchema.shape;

export const connectGenerate = defineTool({
  name: "connect_generate",
  title: "Generate an image, video or audio",
  description: [
    "Starts one generation job from a text prompt.",
    "Costs the credits that list_models shows: they are reserved at once, charged when the job starts, and returned in full if it fails.",
    "Answers at once with a job_id. Then call get_job with wait_seconds, or set wait_seconds here to get the files in the same answer.",
    "With an idempotency_key a repeated call makes and charges no second job.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: generateRequestSchema.extend({
    model_slug: model_slug.describe("A model_slug from list_models."),
    prompt: prompt.describe("What to generate, up to the model's max_prompt_length in characters."),
    idempotency_key: idempotencyKeySchema
      .optional()
      .describe("Your own name for this job, 1 to 255 visible ASCII characters."),
    wait_seconds: waitSecondsSchema,
  }),
  output: outcomeSchema.partial({ credits_charged: true, outputs: true, error: true }).extend({
    replayed: z
      .boolean()
      .optional()
      .describe("True: an earlier call with this idempotency_key made the job."),
  }),
  mayBeTask: true,
  async handle({ idempotency_key, wait_seconds, ...body }, context) {
    await context.countGeneration();
    const call = { ...context.call, ...generateDeadline(body) };
    const reply = await context.core.jobs.Generate(toGenerateRequest(body, idempotency_key), call);
    const { replayed } = reply;
    const note = replayed
      ? "This idempotency_key was used before: this is the job of the first call, and nothing was reserved again.\n"
      : "";

    const watched = wait_seconds > 0 || context.takesTasks;
    const job = watched ? await waitForNewJob(context, reply.job_id, wait_seconds) : undefined;
    if (!job) {
      const accepted = { ...fromMessage(generateResultSchema, reply), replayed };
      return { text: note + describeAccepted(accepted), structured: accepted };
    }
    const { text, links, structured } = toOutcome(job);
    return {
      text: note + text,
      links,
      structured: { ...structured, replayed },
      ...(job.ended_at === null && { task: toTask(job) }),
    };
  },
});

function describeAccepted({
  job_id,
  state,
  modality,
  model_slug: model,
  credits_reserved,
  estimated_seconds,
}: z.output<typeof generateResultSchema>): string {
  return [
    `Job ${job_id}: ${state} (${modality}, ${model}).`,
    `Credits reserved: ${credits_reserved}. It takes about ${waitInWords(estimated_seconds)} once it runs.`,
    "Next: call get_job with this job_id and wait_seconds up to 45 until the job has ended.",
  ].join("\n");
}
