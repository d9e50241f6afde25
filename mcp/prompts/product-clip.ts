// The prompt product_clip: a picture of a product, and a short clip made from the picture.
import type { ContentBlock } from "@modelcontextprotocol/server";
import { definePrompt } from "../protocol/prompt.ts";
import type { ReadingContext } from "../protocol/read-context.ts";
import { products, suggestProducts } from "../resources/products.ts";
import { budgetArgument, said, suggestModels, suggestOneOf, task, withinBudget } from "./parts.ts";

const DEFAULT_SECONDS = "4";
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const productClip = definePrompt({
  name: "product_clip",
  title: "Make a product clip",
  description: "Makes a picture of a product and a short clip of it, with the price told before.",
  arguments: {
    product: {
      description: "The product in a few words, or the slug of one in the catalog.",
      required: true,
      suggest: suggestProducts,
    },
    mood: { description: "How the clip feels, for example calm, bright or bold." },
    seconds: {
      description: `How long the clip is, 1 to 10; ${DEFAULT_SECONDS} when left out.`,
      form: { pattern: /^([1-9]|10)$/, words: "must be a whole number from 1 to 10" },
      suggest: suggestOneOf(["3", "4", "6", "8", "10"]),
    },
    model: { description: "Slug of a model that makes videos.", suggest: suggestModels("video") },
    max_credits: budgetArgument,
  },
  write: async ({ product = "", mood, seconds = DEFAULT_SECONDS, model, max_credits }, context) => {
    const known = await findProduct(product, context);
    const what = known ? `the product ${product} of the catalog, which is described below` : product;
    return [
      task(
        "animate-a-picture",
        [
          `Make a clip of ${seconds} seconds that shows ${what}.`,
          said(mood, (words) => `Mood: ${words}.`),
          said(model, (slug) => `Use the model ${slug} for the clip.`),
          said(max_credits, withinBudget),
        ],
        context,
      ),
      ...(known ? [known] : []),
    ];
  },
});

/** Finds the public product with this slug. */
async function findProduct(words: string, context: ReadingContext): Promise<ContentBlock | undefined> {
  const body = SLUG.test(words) ? await products.read(context, words) : undefined;
  if (!body || !("text" in body)) return undefined;
  const { mimeType } = products;
  return {
    type: "resource",
    resource: { uri: products.uri.replace("{slug}", words), mimeType, text: body.text },
  };
}
