// The plans that an account can be on: made by the start, listed in their order, and priced by operators. Existing orders and subscriptions keep
// their price.
import { AppError, type Issue } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import { unknownPlan } from "./rules.ts";
import { findPlans, insertMissingPlans, savePlanPrice } from "./store-plans.ts";

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
const MAX_PRICE_CENTS = 100_000_000;
/** Payment providers charge nothing below it; 0 is free. */
const MIN_PRICE_CENTS = 50;

/**
 * Inserts missing plans, and adds prices to plans that were seeded before there were prices. Operators' changes stay. Safe to run in
 * several processes in parallel.
 */
export async function seedPlans(app: Pick<App, "mongo">): Promise<void> {
  await insertMissingPlans(app.mongo.db, SEEDED_PLANS);
}

export async function listPlans(app: Pick<App, "mongo">): Promise<PlanDoc[]> {
  return [...(await findPlans(app.mongo.db)).values()];
}

/** Plans by name. */
export async function loadPlans(app: Pick<App, "mongo">): Promise<ReadonlyMap<string, PlanDoc>> {
  return findPlans(app.mongo.db);
}

/** Throws invalid_request. */
export async function setPlanPrice(app: App, planId: string, priceCents: number): Promise<PlanDoc> {
  checkPrices({ price_cents: priceCents });
  const plan = await savePlanPrice(app.mongo.db, planId, priceCents);
  if (plan) return plan;
  throw new AppError("invalid_request", { issues: [unknownPlan(await findPlans(app.mongo.db))] });
}

/** Throws invalid_request for prices that cannot be charged. */
export function checkPrices(prices: Readonly<Record<string, number>>): void {
  const issues = Object.entries(prices).flatMap(([path, cents]): Issue[] =>
    cents === 0 || (Number.isSafeInteger(cents) && cents >= MIN_PRICE_CENTS && cents <= MAX_PRICE_CENTS)
      ? []
      : [{ path, message: `must be 0, or from ${MIN_PRICE_CENTS} to ${MAX_PRICE_CENTS} cents` }],
  );
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
}
