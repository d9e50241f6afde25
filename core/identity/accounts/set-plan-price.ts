// Sets the monthly price of a plan, for operators. Existing orders and subscriptions keep their price.
import { AppError, type Issue } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import { unknownPlan } from "./rules.ts";
import { findPlans, savePlanPrice } from "./store-plans.ts";

const MAX_PRICE_CENTS = 100_000_000;
/** Payment providers charge nothing below it; 0 is free. */
const MIN_PRICE_CENTS = 50;

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
