// Stores the costs of calls in the transaction that records their outcome, and reads them for accounting.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type CostDoc, insertCosts, streamCostsOfAccount, streamCostsOfProvider } from "./store.ts";

type Books = Pick<App, "mongo">;

export async function keepCosts({ mongo }: Books, costs: readonly CostDoc[], tx: TxContext): Promise<void> {
  await insertCosts(mongo.db, costs, tx);
}

/** Calls of an account whose outcome was recorded in this time, oldest first. */
export function costsOfAccount(
  { mongo }: Books,
  query: { accountId: string; since: Date; until: Date },
): AsyncIterable<CostDoc> {
  return streamCostsOfAccount(mongo.db, query);
}

/** The same for a provider, over all accounts. */
export function costsOfProvider(
  { mongo }: Books,
  query: { provider: string; since: Date; until: Date },
): AsyncIterable<CostDoc> {
  return streamCostsOfProvider(mongo.db, query);
}
