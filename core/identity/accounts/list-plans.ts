// The plans that an account can be on, in their order. Public.
import type { PlanDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { findPlans } from "./store-plans.ts";

export async function listPlans(app: Pick<App, "mongo">): Promise<PlanDoc[]> {
  return [...(await findPlans(app.mongo.db)).values()];
}

/** Plans by name. */
export async function loadPlans(app: Pick<App, "mongo">): Promise<ReadonlyMap<string, PlanDoc>> {
  return findPlans(app.mongo.db);
}
