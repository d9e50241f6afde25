// Gathers for the audit what an account has bought, and the numbers of all receipts.
import type { AccountDoc } from "../accounts/store.ts";
import { streamLicences } from "../memberships/store.ts";
import type { ClientSession, Db } from "../mongo/client.ts";
import { findFirstOrder, findReceiptYears, streamOrders, streamPayments } from "../orders/store.ts";
import { findSubscriptions } from "../subscriptions/store.ts";
import { checkSubscriptions } from "./subscription-rules.ts";
import { checkPurchases, type Purchases } from "./order-rules.ts";

/** `entries` are the ledger entries that are named after orders. */
export async function auditOrders(
  db: Db,
  account: AccountDoc,
  entries: Purchases["entries"],
  session: ClientSession,
): Promise<string[]> {
  const { _id: accountId, status } = account;
  // One after the other: reads of one session do not go side by side.
  const orders = await Array.fromAsync(streamOrders(db, accountId, session));
  const payments = await Array.fromAsync(streamPayments(db, accountId, session));
  const licences = await Array.fromAsync(streamLicences(db, accountId, session));
  const first = licences.some(({ order_id }) => order_id === undefined)
    ? await findFirstOrder(db, session)
    : undefined;
  const subscriptions = await findSubscriptions(db, accountId, session);
  return [
    ...checkPurchases({
      orders,
      payments,
      licences,
      entries,
      isDeleted: status === "deleted",
      ordersSince: first?.created_at,
    }),
    ...checkSubscriptions({ account, subscriptions, orders }),
  ];
}

/** Checks that receipt numbers have no gaps within a year and occur only once. */
export async function auditReceipts(db: Db, session: ClientSession): Promise<string[]> {
  const years = await findReceiptYears(db, session);
  return years
    .filter(({ last, numbers }) => last !== numbers)
    .map(
      ({ year, last, numbers }) => `receipts of ${year}: ${last} were counted, and orders have ${numbers}`,
    );
}
