// Changes the buyer's details on invoices of later payments.
import type { App } from "../../kernel/app.ts";
import { checkBilling } from "./rules.ts";
import { type Billing, saveBilling } from "./store.ts";

/** Returns the details as they are stored. Throws invalid_request. */
export async function changeBilling(app: App, accountId: string, wanted: Billing): Promise<Billing> {
  const billing = checkBilling(wanted);
  await saveBilling(app.mongo.db, accountId, billing);
  return billing;
}
