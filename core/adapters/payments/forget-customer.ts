// Forgets which customer of the payment provider an account was. What the provider must keep about its payments stays there.
import type { ClientSession, Mongo } from "../../base/mongo/client.ts";
import { deleteCustomer, eraseDemo } from "./store.ts";

export async function forgetCustomer(
  { mongo }: { mongo: Mongo },
  accountId: string,
  session: ClientSession,
): Promise<void> {
  await deleteCustomer(mongo.db, accountId, session);
}

/** Forgets who was to pay at the demo provider. */
export async function forgetDemoCustomer({ mongo }: { mongo: Mongo }, accountId: string): Promise<void> {
  await eraseDemo(mongo.db, accountId);
}
