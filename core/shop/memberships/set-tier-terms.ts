// Sets what a month and a year of a tier cost, and what its members pay less for products, for operators. Existing orders and subscriptions
// keep the price that they were made at.
import { AppError } from "../../../proto/codes.ts";
import { checkPrices } from "../../identity/accounts/set-plan-price.ts";
import type { App } from "../../kernel/app.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import { findTiers, saveTierTerms } from "./store.ts";

/** Without `discountPercent` it stays as it is. Throws invalid_request. */
export async function setTierTerms(
  app: App,
  tierId: string,
  wanted: { monthlyCents: number; yearlyCents: number; discountPercent?: number | undefined },
): Promise<TierDoc> {
  const { monthlyCents, yearlyCents, discountPercent } = wanted;
  checkPrices({ monthly_price_cents: monthlyCents, yearly_price_cents: yearlyCents });
  if (discountPercent !== undefined && !(discountPercent >= 0 && discountPercent <= 100))
    throw new AppError("invalid_request", {
      issues: [{ path: "discount_percent", message: "must be from 0 to 100" }],
    });
  const tier = await saveTierTerms(app.mongo.db, tierId, {
    monthly_price_cents: monthlyCents,
    yearly_price_cents: yearlyCents,
    ...(discountPercent !== undefined && { discount_percent: discountPercent }),
  });
  if (tier) return tier;
  const known = [...(await findTiers(app.mongo.db)).keys()].join(", ");
  throw new AppError("invalid_request", { issues: [{ path: "tier", message: `must be one of ${known}` }] });
}
