// The plans that every installation starts with.
import type { PlanDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { insertMissingPlans } from "./store-plans.ts";

export const SEEDED_PLANS: readonly PlanDoc[] = [
  { _id: "free", name: "Free", concurrency: 1, api: false, monthly_credits: 50, price_cents: 0, order: 1 },
  {
    _id: "starter",
    name: "Starter",
    concurrency: 2,
    api: false,
    monthly_credits: 500,
    price_cents: 900,
    order: 2,
  },
  { _id: "pro", name: "Pro", concurrency: 5, api: true, monthly_credits: 2_000, price_cents: 2900, order: 3 },
  {
    _id: "studio",
    name: "Studio",
    concurrency: 20,
    api: true,
    monthly_credits: 10_000,
    price_cents: 9900,
    order: 4,
  },
];

/**
 * Inserts missing plans, and adds prices to plans that were seeded before there were prices. Operators' changes stay. Safe to run in
 * several processes in parallel.
 */
export async function seedPlans(app: Pick<App, "mongo">): Promise<void> {
  await insertMissingPlans(app.mongo.db, SEEDED_PLANS);
}
