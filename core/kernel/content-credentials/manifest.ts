// The statements of an output's manifest: how it was made, and its job, ledger entry and model. This file is pure. The manifest never
// contains the prompt, the account or an address, because the file is public.

/** The label of the assertion that links a file to the service's records. */
export const GENERATION_LABEL = "org.atelier.generation";

const SOURCE_TYPES = "http://cv.iptc.org/newscodes/digitalsourcetype/";

export type Generation = {
  readonly job_id: string;
  /** The entry that paid for the job, and its hash in the account's chain. */
  readonly ledger_entry_id: string;
  /** Absent if the ledger has no such entry. */
  readonly ledger_entry_hash?: string;
  readonly model_slug: string;
  /** The number of the output within its job, from 0. */
  readonly output_index: number;
};

export type SignedMaking = {
  readonly mimeType: string;
  /** True if rules drew it, and not a trained model. */
  readonly drawnByRules: boolean;
  /** The media types of its source files. */
  readonly inputTypes: readonly string[];
};

/** The IPTC term for how a file was made. */
export function sourceTypeOf({ mimeType, drawnByRules, inputTypes }: SignedMaking): string {
  if (drawnByRules)
    return `${SOURCE_TYPES}${inputTypes.length > 0 ? "algorithmicallyEnhanced" : "algorithmicMedia"}`;
  // A model changed a picture, a clip or a sound. From a picture to a clip, everything is new.
  const isChanged = inputTypes.some((type) => kindOf(type) === kindOf(mimeType));
  return `${SOURCE_TYPES}${isChanged ? "compositeWithTrainedAlgorithmicMedia" : "trainedAlgorithmicMedia"}`;
}

/** A manifest definition of the C2PA library. `ingredients` are the titles of its source files. */
export function manifestOf(
  generation: Generation,
  {
    sourceType,
    ingredients,
    at,
    release,
  }: { sourceType: string; ingredients: readonly string[]; at: Date; release: string },
): object {
  const created = {
    action: "c2pa.created",
    when: at.toISOString(),
    digitalSourceType: sourceType,
    softwareAgent: { name: generation.model_slug },
    ...(ingredients.length > 0 && { parameters: { ingredientIds: ingredients } }),
  };
  return {
    claim_generator_info: [{ name: "Atelier", version: release }],
    assertions: [
      { label: "c2pa.actions.v2", data: { actions: [created] }, created: true },
      { label: GENERATION_LABEL, data: generation, created: true },
    ],
  };
}

function kindOf(mimeType: string): string {
  return mimeType.slice(0, mimeType.indexOf("/"));
}
