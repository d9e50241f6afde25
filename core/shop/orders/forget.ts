// Removes the words from the orders of a deleted account. What was bought and paid stays, since receipts have to be kept.
import type { App } from "../../kernel/app.ts";
import { eraseOrders } from "./store.ts";

export async function forgetOrders({ mongo }: Pick<App, "mongo">, accountId: string): Promise<void> {
  await eraseOrders(mongo.db, accountId);
}
