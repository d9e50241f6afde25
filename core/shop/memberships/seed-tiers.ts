// The tiers of membership that every installation starts with.
import type { TierDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { insertMissingTiers } from "./store.ts";

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
