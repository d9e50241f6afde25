// The price of a generation. This file is pure.
import { invalidField } from "../../../proto/codes.ts";
import {
  MAX_UNITS,
  type Price,
  type Priceable,
  priceOf as priceBy,
  pricingOf,
  unitParams,
} from "../../../proto/resources/pricing.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";

/** The price of one generation with validated params. Throws invalid_request if they yield none. */
export function priceOf(model: Pick<ModelDoc, "per" | "credits" | "pricing">, asked: Priceable): Price {
  const price = priceBy(pricingOf(model), asked);
  if (price) return price;
  const path = `params.${unitParams(model.per)[0] ?? ""}`;
  throw invalidField(
    path,
    `gives no price: a generation has above 0 and at most ${MAX_UNITS} units (${model.per})`,
  );
}
