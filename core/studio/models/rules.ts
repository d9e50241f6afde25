// What a generation costs. Pure.
import type { ModelDoc } from "../../kernel/definitions.ts";
import { AppError } from "../../../proto/codes.ts";
import { MAX_UNITS, unitParam, unitsOf } from "../../../proto/resources/units.js";

/** Most credits that a unit may cost; with MAX_UNITS it keeps every price an exact integer. */
export const MAX_CREDITS_PER_UNIT = 1_000_000;

export type Price = { units: number; credits: number };

type Priced = Pick<ModelDoc, "per" | "credits">;

/** Units and credits of one generation with these params (checked ones, defaults filled in). Throws invalid_request where they give no price. */
export function priceOf(model: Priced, params: Readonly<Record<string, unknown>>): Price {
  const units = unitsOf(model.per, params);
  if (units === undefined) {
    throw new AppError("invalid_request", {
      issues: [
        {
          path: `params.${unitParam(model.per)}`,
          message: `must be a number above 0 and at most ${MAX_UNITS}`,
        },
      ],
    });
  }
  return { units, credits: units * model.credits };
}
