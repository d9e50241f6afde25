// Sets what a month and a year of a tier cost, for operators. Existing orders and subscriptions keep the price that they were made at.
import { AppError } from "../../../proto/codes.ts";
import { checkPrices } from "../../identity/accounts/set-plan-price.ts";
import type { App } from "../../kernel/app.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import { findTiers, saveTierPrices } from "./store.ts";

/** Throws invalid_request. */
export async function setTierPrices(
  app: App,
  tierId: string,
  { monthlyCents, yearlyCents }: { monthlyCents: number; yearlyCents: number },
): Promise<TierDoc> {
  checkPrices({ monthly_price_cents: monthlyCents, yearly_price_cents: yearlyCents });
  const tier = await saveTierPrices(app.mongo.db, tierId, { monthlyCents, yearlyCents });
  if (tier) return tier;
  const known = [...(await findTiers(app.mongo.db)).keys()].join(", ");
  throw new AppError("invalid_request", { issues: [{ path: "tier", message: `must be one of ${known}` }] });
}
