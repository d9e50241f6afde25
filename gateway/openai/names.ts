// Maps common model names to the service's: tools for OpenAI's API have a few names built in.
import { AppError } from "../../proto/codes.ts";
import type { Modality } from "../../proto/resources/job.ts";
import type { ModelResource } from "../../proto/resources/model.ts";
import { pictureInputs } from "./params.ts";

/** The names that tools use for a model of each kind by default. */
const COMMON_NAMES: Readonly<Record<string, Modality>> = {
  "gpt-image-1": "image",
  "gpt-image-1-mini": "image",
  "gpt-image-1.5": "image",
  "dall-e-2": "image",
  "dall-e-3": "image",
  "tts-1": "audio",
  "tts-1-hd": "audio",
  "gpt-4o-mini-tts": "audio",
  "sora-2": "video",
  "sora-2-pro": "video",
};

/** Names that an operator gave, with the model that each means. */
export type GivenNames = Readonly<Record<string, string>>;

/** Whether a model can be meant by a common name. */
export type Suits = (model: ModelResource) => boolean;

/**
 * The live model of a name, an operator's or a common one or its own slug; without a name the first that suits. Throws
 * model_not_available, modality_mismatch.
 */
export function modelOf(
  models: readonly ModelResource[],
  name: string | undefined,
  modality: Modality,
  { given, suits }: { given: GivenNames; suits: Suits },
): ModelResource {
  const slug = name === undefined ? undefined : (own(given, name) ?? name);
  const isCommon = slug === undefined || (slug === name && own(COMMON_NAMES, slug) !== undefined);
  const found =
    models.find(({ model_slug }) => model_slug === slug) ??
    (isCommon ? models.find((model) => model.modality === modality && suits(model)) : undefined);
  if (!found)
    throw new AppError("model_not_available", {
      message: `There is no live model ${JSON.stringify(slug ?? modality)}.`,
      hint: "Choose an id from GET /v1/models.",
    });
  if (found.modality !== modality)
    throw new AppError("modality_mismatch", {
      message: `${found.model_slug} makes ${found.modality}, and this address makes ${modality}.`,
      hint: "Choose an id from GET /v1/models that makes it.",
    });
  return found;
}

/** All that `modelOf` knows, with the model that each means; a name of which there is no model is left out. */
export function knownNames(models: readonly ModelResource[], given: GivenNames): [string, ModelResource][] {
  const common = Object.keys(given).concat(Object.keys(COMMON_NAMES));
  const named = [...new Set(common)].flatMap((name): [string, ModelResource][] => {
    const model = meant(models, name, given);
    return model ? [[name, model]] : [];
  });
  return [...models.map((model): [string, ModelResource] => [model.model_slug, model]), ...named];
}

function meant(models: readonly ModelResource[], name: string, given: GivenNames): ModelResource | undefined {
  const slug = own(given, name);
  if (slug !== undefined) return models.find(({ model_slug }) => model_slug === slug);
  return models.find((model) => model.modality === own(COMMON_NAMES, name) && needsNothing(model));
}

/** But a prompt: such tools have nowhere to put anything else. */
export const needsNothing: Suits = (model) => requiredOf(model).length === 0;

/** And nothing but that. */
export const takesPicture: Suits = (model) => {
  const inputs = pictureInputs(model);
  return inputs.length > 0 && requiredOf(model).every((name) => inputs.includes(name));
};

function requiredOf({ params_schema: { required } }: ModelResource): string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
