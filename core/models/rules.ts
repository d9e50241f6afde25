// What a generation costs. Pure.
import { AppError } from "../../proto/codes.ts";
import type { ModelDoc } from "./store.ts";

/** Most units that one generation may be priced at, whatever a schema allows. */
export const MAX_UNITS = 3_600;
/** Most credits that a unit may cost; with MAX_UNITS it keeps every price an exact integer. */
export const MAX_CREDITS_PER_UNIT = 1_000_000;

export type Price = { units: number; credits: number };

type Priced = Pick<ModelDoc, "per" | "credits">;

/**
 * Units and credits of one generation with these params (checked ones, defaults filled in). A unit is the generation, each of
 * `count` images, or each begun second of `duration_seconds`. Throws invalid_request where the params give no price.
 */
export function priceOf(model: Priced, params: Readonly<Record<string, unknown>>): Price {
  const units = unitsOf(model.per, params);
  return { units, credits: units * model.credits };
}

function unitsOf(per: ModelDoc["per"], params: Readonly<Record<string, unknown>>): number {
  switch (per) {
    case "generation":
      return 1;
    case "image":
      return params["count"] === undefined ? 1 : wholeUnits("count", params["count"], (count) => count);
    case "second":
      return wholeUnits("duration_seconds", params["duration_seconds"], Math.ceil);
  }
}

function wholeUnits(param: string, value: unknown, round: (value: number) => number): number {
  const units = typeof value === "number" ? round(value) : Number.NaN;
  if (Number.isInteger(units) && units >= 1 && units <= MAX_UNITS) return units;
  throw new AppError("invalid_request", {
    issues: [{ path: `params.${param}`, message: `must be a number above 0 and at most ${MAX_UNITS}` }],
  });
}
