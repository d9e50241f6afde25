// The prompt poster: one picture with space for text.
import { definePrompt } from "../protocol/prompt.ts";
import { budgetArgument, said, suggestModels, suggestOneOf, task, withinBudget } from "./parts.ts";

const STYLES = [
  "flat vector shapes",
  "screen print",
  "Swiss grid, two colours",
  "watercolour",
  "photograph at night",
  "paper cut-out",
];
const FORMATS = ["portrait", "landscape", "square"];

export const poster = definePrompt({
  name: "poster",
  title: "Make a poster",
  description: "Makes one poster of a subject, in a style and format, with the price told before.",
  arguments: {
    subject: { description: "Subject, in your own words.", required: true },
    style: { description: "How it looks.", suggest: suggestOneOf(STYLES) },
    format: {
      description: "portrait, landscape or square; portrait when left out.",
      form: { pattern: /^(portrait|landscape|square)$/, words: "must be portrait, landscape or square" },
      suggest: suggestOneOf(FORMATS),
    },
    model: { description: "Slug of a model that makes images.", suggest: suggestModels("image") },
    max_credits: budgetArgument,
  },
  write: async ({ subject = "", style, format = "portrait", model, max_credits }, context) => [
    task(
      "make-a-picture",
      [
        `Make a poster in ${format} format: ${subject}.`,
        said(style, (words) => `Style: ${words}.`),
        "Leave an empty area where words can be set later.",
        said(model, (slug) => `Use the model ${slug}.`),
        said(max_credits, withinBudget),
      ],
      context,
    ),
  ],
});
