// Common parts of the prompts: arguments, and the request that they write, with the steps of a skill.
import type { TextContent } from "@modelcontextprotocol/server";
import { fromMessages } from "../../proto/codec.ts";
import type { Modality } from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";
import type { ReadContext, ReadingContext } from "../protocol/read-context.ts";
import { numbered } from "../protocol/skill.ts";
import { readSkill, type SkillName } from "../resources/skills.ts";

/** The most credits that the whole request may spend. */
export const budgetArgument = {
  description: "The most credits that may be spent on all of it. Left out: the model asks first.",
  form: { pattern: /^[1-9]\d{0,8}$/, words: "must be a whole number of credits" },
} as const;

/** Live models of a modality whose slug or name contains what was typed. */
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

/** The user's request, one sentence for each argument that they filled in, and the steps of the skill that fulfils it. */
export function task(
  skill: SkillName,
  request: readonly (string | false)[],
  context: ReadingContext,
): TextContent {
  const { steps } = readSkill(skill, context);
  const text = [
    request.filter(Boolean).join(" "),
    "",
    "Do it with the tools of this server:",
    numbered(steps),
  ].join("\n");
  return { type: "text", text };
}

/** Returns what the user said about it, or nothing. */
export function said(value: string | undefined, sentence: (value: string) => string): string | false {
  return value !== undefined && sentence(value);
}

export const withinBudget = (credits: string): string => `The budget for all of it is ${credits} credits.`;
