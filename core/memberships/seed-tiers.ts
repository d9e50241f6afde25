// The tiers of membership that every installation starts with.
import type { TierDoc } from "../definitions.ts";
import type { App } from "../app.ts";
import { insertMissingTiers } from "./store.ts";

const SEEDED_TIERS: readonly TierDoc[] = [
  { _id: "basic", name: "Basic", member_tools: false, plus_products: false, order: 1 },
  { _id: "plus", name: "Plus", member_tools: true, plus_products: true, order: 2 },
];

/** Inserts the tiers that are missing and leaves the others as they are. Safe to run in several processes at once. */
export async function seedTiers(app: Pick<App, "mongo">): Promise<void> {
  await insertMissingTiers(app.mongo.db, SEEDED_TIERS);
}
