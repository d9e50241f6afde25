// Forgets which customer of the payment provider an account was. What the provider must keep about its payments stays there.
import type { Mongo } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { deleteCustomer, eraseDemo } from "./store.ts";

export async function forgetCustomer(
  { mongo }: { mongo: Mongo },
  accountId: string,
  tx: TxContext,
): Promise<void> {
  await deleteCustomer(mongo.db, accountId, tx);
}

/** Forgets who was to pay at the demo provider. */
export async function forgetDemoCustomer({ mongo }: { mongo: Mongo }, accountId: string): Promise<void> {
  await eraseDemo(mongo.db, accountId);
}
