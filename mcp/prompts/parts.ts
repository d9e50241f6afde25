// What the prompts have in common: arguments, and the steps that every piece of work is done in. They name tools that the caller has.
import type { TextContent } from "@modelcontextprotocol/server";
import { fromMessages } from "../../proto/codec.ts";
import type { Modality } from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";
import type { PromptContext } from "../protocol/prompt.ts";
import type { ReadContext } from "../protocol/read-context.ts";

/** The most that may be spent on all of it. */
export const budgetArgument = {
  description: "The most credits that may be spent on all of it. Left out: the model asks first.",
  form: { pattern: /^[1-9]\d{0,8}$/, words: "must be a whole number of credits" },
} as const;

/** Live models of a modality whose slug or name has what was typed in it. */
export function suggestModels(modality: Modality) {
  return async (begun: string, { core, call }: ReadContext): Promise<string[]> => {
    const typed = begun.toLowerCase();
    const live = fromMessages(modelSchema, (await core.models.ListModels({ modality }, call)).models);
    return live
      .filter(({ model_slug, name }) => `${model_slug} ${name}`.toLowerCase().includes(typed))
      .map(({ model_slug }) => model_slug);
  };
}

export function suggestOneOf(values: readonly string[]) {
  return async (begun: string): Promise<string[]> =>
    values.filter((value) => value.toLowerCase().includes(begun.toLowerCase()));
}

/** Which model: the one that the person named, or how to choose. */
export function modelStep(modality: Modality, model: string | undefined, need: string): string {
  return model === undefined
    ? `Call list_models with modality ${modality} and choose a model that fits: ${need}.`
    : `Use the model ${model}; list_models with modality ${modality} shows its price and params. It must fit: ${need}.`;
}

/** What is done about the price before anything is made. */
export function priceStep(budget: string | undefined, { has }: PromptContext): string {
  const price = has("estimate_generation")
    ? "Add up the price with estimate_generation, which makes nothing."
    : "Add up the price from list_models, and see with get_credits whether there are enough credits.";
  return budget === undefined
    ? `${price} Tell the user the price and wait for their approval.`
    : `${price} All of it may cost ${budget} credits together: leave out what does not fit, and send what is left of them as max_credits with each connect_generate.`;
}

/** How one thing is made and waited for. */
export const MAKE =
  "Call connect_generate with wait_seconds 45 and an idempotency_key of your own; where the job has not ended then, call get_job with its job_id and wait_seconds until it has.";

/** What is said when it is done. */
export const LAST_STEP =
  "Show the user the links of the files and the cost. If a job failed, say why, and that its credits were refunded.";

/** The request of the person, and the steps to it. */
export function task(request: string, steps: readonly string[]): TextContent {
  const numbered = steps.map((step, i) => `${i + 1}. ${step}`);
  return {
    type: "text",
    text: [request, "", "Do it with the tools of this server:", ...numbered].join("\n"),
  };
}
