// The tiers of membership: made by the start, read as they are stored, and priced by operators. Existing orders and subscriptions keep the
// price that they were made at.
import { invalidField } from "../../../proto/codes.ts";
import { checkPrices } from "../../identity/accounts/plans.ts";
import type { App } from "../../kernel/app.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import { findTiers, insertMissingTiers, saveTierTerms } from "./store.ts";

const SEEDED_TIERS: readonly TierDoc[] = [
  {
    _id: "basic",
    name: "Basic",
    member_tools: false,
    plus_products: false,
    monthly_price_cents: 500,
    yearly_price_cents: 5_000,
    order: 1,
  },
  {
    _id: "plus",
    name: "Plus",
    member_tools: true,
    plus_products: true,
    discount_percent: 20,
    monthly_price_cents: 1_500,
    yearly_price_cents: 15_000,
    order: 2,
  },
];

/**
 * Inserts missing tiers, and adds prices to tiers that were seeded before there were prices. Operators' changes stay. Safe to run in
 * several processes in parallel.
 */
export async function seedTiers(app: Pick<App, "mongo">): Promise<void> {
  await insertMissingTiers(app.mongo.db, SEEDED_TIERS);
}

/** By name, in their order. */
export async function loadTiers(app: Pick<App, "mongo">): Promise<ReadonlyMap<string, TierDoc>> {
  return findTiers(app.mongo.db);
}

/** Without `discountPercent` it stays as it is. Throws invalid_request. */
export async function setTierTerms(
  app: App,
  tierId: string,
  wanted: { monthlyCents: number; yearlyCents: number; discountPercent?: number | undefined },
): Promise<TierDoc> {
  const { monthlyCents, yearlyCents, discountPercent } = wanted;
  checkPrices({ monthly_price_cents: monthlyCents, yearly_price_cents: yearlyCents });
  if (discountPercent !== undefined && !(discountPercent >= 0 && discountPercent <= 100))
    throw invalidField("discount_percent", "must be from 0 to 100");
  const tier = await saveTierTerms(app.mongo.db, tierId, {
    monthly_price_cents: monthlyCents,
    yearly_price_cents: yearlyCents,
    ...(discountPercent !== undefined && { discount_percent: discountPercent }),
  });
  if (tier) return tier;
  const known = [...(await findTiers(app.mongo.db)).keys()].join(", ");
  throw invalidField("tier", `must be one of ${known}`);
}
