// The prompt narrated_gallery: some pictures on a topic, and a voice that describes each.
import { definePrompt } from "../protocol/prompt.ts";
import { budgetArgument, said, suggestModels, suggestOneOf, task, withinBudget } from "./parts.ts";

const DEFAULT_PICTURES = "3";

export const narratedGallery = definePrompt({
  name: "narrated_gallery",
  title: "Make a narrated gallery",
  description: "Makes some pictures on a topic and a spoken text for each, with the price told before.",
  arguments: {
    topic: { description: "Subject of the gallery.", required: true },
    pictures: {
      description: `How many, 2 to 8; ${DEFAULT_PICTURES} when left out.`,
      form: { pattern: /^[2-8]$/, words: "must be a whole number from 2 to 8" },
      suggest: suggestOneOf(["2", "3", "4", "5", "6", "7", "8"]),
    },
    audience: { description: "Who listens, for example children or experts." },
    model: { description: "Slug of a model that makes images.", suggest: suggestModels("image") },
    voice: { description: "Slug of a model that makes audio.", suggest: suggestModels("audio") },
    max_credits: budgetArgument,
  },
  write: async (given, context) => [
    task(
      "narrate-a-gallery",
      [
        `Make a narrated gallery of ${given.pictures ?? DEFAULT_PICTURES} pictures: ${given.topic}.`,
        said(given.audience, (audience) => `It is for ${audience}.`),
        said(given.model, (slug) => `Use the model ${slug} for the pictures.`),
        said(given.voice, (slug) => `Use the model ${slug} for the voice.`),
        said(given.max_credits, withinBudget),
      ],
      context,
    ),
  ],
});
