// What runs inside a thread of the embedded provider: makers turn a prompt into files.
import type { ProviderOutput } from "../provider.ts";

export type Params = Readonly<Record<string, unknown>>;

export type Making = {
  readonly prompt: string;
  readonly params: Params;
  /** The files that params name, by the name of the param. */
  readonly inputs?: ReadonlyMap<string, Uint8Array>;
  readonly onProgress: (fraction: number) => void;
  /** Called between steps of well under a second. Throws when the job was cancelled. */
  readonly checkpoint: () => void;
};

/** The same prompt and params give the same bytes. */
export type Maker = (making: Making) => Promise<ProviderOutput[]>;

/** A request that cannot be made: an invalid param, or a cancelled job. Its message is for the job's owner. */
export class Refused extends Error {}

/**
 * A number, `usual` where it is absent. The schemas of the embedded models keep within these bounds; an operator's schema may not, and a
 * picture of a million pixels a side must not crash the process.
 */
export function numberParam(params: Params, name: string, usual: number, low: number, high: number): number {
  const value = params[name] ?? usual;
  if (typeof value === "number" && value >= low && value <= high) return value;
  throw new Refused(`${name} must be a number from ${low} to ${high}.`);
}

export function takeSeed(params: Params): string {
  const seed = params["seed"];
  return typeof seed === "number" ? String(seed) : "";
}

/** Which of its kinds, where a model has several. */
export function styleOf({ style }: Params): string | undefined {
  return typeof style === "string" ? style : undefined;
}

/** The model whose picture is made, or moves; models and jobs of earlier releases show sketches. */
export function pictureOf(model: string, { picture }: Params): string {
  if (model === "motion" || model === "loop")
    return /^(landscape|gradient|pattern)$/.test(String(picture)) ? String(picture) : "sketch";
  return model === "canvas" || model === "vector" ? "sketch" : model;
}
