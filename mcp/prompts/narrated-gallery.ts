// Prompt narrated_gallery: some pictures on a topic, and a voice that tells about each.
import { definePrompt } from "../protocol/prompt.ts";
import {
  budgetArgument,
  LAST_STEP,
  MAKE,
  modelStep,
  priceStep,
  suggestModels,
  suggestOneOf,
  task,
} from "./parts.ts";

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
  write: async ({ topic, pictures = DEFAULT_PICTURES, audience, model, voice, max_credits }, context) => [
    task(
      `Make a narrated gallery of ${pictures} pictures: ${topic}.${audience === undefined ? "" : ` It is for ${audience}.`}`,
      [
        modelStep("image", model, "one look for all pictures"),
        modelStep("audio", voice, "it speaks a text, in a voice that fits all of them"),
        `Write ${pictures} scenes that tell the topic in order. For each: a prompt for the picture, with the same words for the look, and two or three sentences to be spoken.`,
        priceStep(max_credits, context),
        `For each scene the picture, then its voice. ${MAKE}`,
        "Put them together as a gallery: for each scene the picture, what is said, and the link to the voice.",
        LAST_STEP,
      ],
    ),
  ],
});
