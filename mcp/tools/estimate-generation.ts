// The tool estimate_generation: the same as POST /api/v1/connect/estimate.
import { fromMessage } from "../../proto/codec.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import { toGenerateRequest } from "../../proto/resources/job.ts";
import { ruleInWords, UNIT_WORDS } from "../../proto/resources/pricing.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitInWords } from "../protocol/wait-in-words.ts";
import { generationArguments } from "./generation-arguments.ts";

export const estimateGeneration = defineTool({
  name: "estimate_generation",
  title: "Ask what a generation costs",
  endpoints: ["generation"],
  description: [
    "Checks the arguments of connect_generate, and answers the price in credits and whether the account has them.",
    "Nothing is made or reserved. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: generationArguments,
  output: estimateSchema,
  async handle(body, { core, call }) {
    const estimate = fromMessage(
      estimateSchema,
      await core.jobs.Estimate(toGenerateRequest(body, undefined), call),
    );
    const { credits, units, per, estimated_seconds, credits_available, affordable, key_credits_left } =
      estimate;
    const { needs_confirmation, priced_by } = estimate;
    const rule = priced_by?.when ? `, at the price for ${ruleInWords(priced_by.when)}` : "";
    return {
      text: [
        `It costs ${credits} credits (${units} × ${UNIT_WORDS[per]}${rule}) and takes about ${waitInWords(estimated_seconds)} once it runs.`,
        `Credits available: ${credits_available}, ${affordable ? "enough for it" : "too few for it"}.`,
        ...(key_credits_left === null
          ? []
          : [`The key's spending limit leaves ${key_credits_left} this month.`]),
        ...(needs_confirmation ? ["The user has to approve it before it is made."] : []),
        `Params: ${JSON.stringify(estimate.params)}.`,
      ].join("\n"),
      structured: estimate,
    };
  },
});
