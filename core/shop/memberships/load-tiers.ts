// The tiers of membership as they are stored.
import type { TierDoc } from "../../kernel/definitions.ts";
import type { App } from "../../kernel/app.ts";
import { findTiers } from "./store.ts";

/** By name, in their order. */
export async function loadTiers(app: Pick<App, "mongo">): Promise<ReadonlyMap<string, TierDoc>> {
  return findTiers(app.mongo.db);
}
