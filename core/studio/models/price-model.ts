// The price of a generation for an operator who checks a price list, whatever the status of the model.
import { AppError, invalidField } from "../../../proto/codes.ts";
import type { Price } from "../../../proto/resources/pricing.ts";
import type { App } from "../../kernel/app.ts";
import { getModel } from "./list-models.ts";
import { checkParams } from "./params.ts";
import { priceOf } from "./pricing-rules.ts";

export type PriceQuery = {
  readonly slug: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The length of the prompt; 0 means the longest prompt that the model accepts. */
  readonly characters: number;
};

/** Throws not_found, invalid_request. */
export async function priceModel(app: Pick<App, "models">, query: PriceQuery): Promise<Price> {
  const model = await getModel(app, query.slug);
  const characters = query.characters || model.max_prompt_length;
  if (characters < 0 || characters > model.max_prompt_length)
    throw invalidField("characters", `must be from 1 to ${model.max_prompt_length}`);
  const checked = checkParams(model, query.params);
  if (Array.isArray(checked)) throw new AppError("invalid_request", { issues: checked });
  return priceOf(model, { params: checked.params, characters });
}
