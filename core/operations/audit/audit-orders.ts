// Collects the purchases of an account for the audit, and the numbers of all receipts.
import { type PaymentProvider, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { streamLicences } from "../../shop/memberships/store.ts";
import {
  findFirstOrder,
  findOrder,
  findReceiptYears,
  streamOrders,
  streamPayments,
} from "../../shop/orders/store.ts";
import { findSubscriptions } from "../../shop/subscriptions/store.ts";
import { checkOpenCheckout, checkPurchases, checkSubscriptions, type Purchases } from "./order-rules.ts";

/** `entries` are the ledger entries that name orders. */
export async function auditOrders(
  db: Db,
  account: AccountDoc,
  entries: Purchases["entries"],
  snapshot: SnapshotContext,
): Promise<string[]> {
  const { _id: accountId, status } = account;
  // One after the other, because a session runs one read at a time.
  const orders = await Array.fromAsync(streamOrders(db, accountId, snapshot));
  const payments = await Array.fromAsync(streamPayments(db, accountId, snapshot));
  const licences = await Array.fromAsync(streamLicences(db, accountId, snapshot));
  const first = licences.some(({ order_id }) => order_id === undefined)
    ? await findFirstOrder(db, snapshot)
    : undefined;
  const subscriptions = await findSubscriptions(db, accountId, snapshot);
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
export async function auditReceipts(db: Db, snapshot: SnapshotContext): Promise<string[]> {
  const years = await findReceiptYears(db, snapshot);
  return years
    .filter(({ last, numbers }) => last !== numbers)
    .map(
      ({ year, last, numbers }) => `receipts of ${year}: ${last} were counted, and orders have ${numbers}`,
    );
}

/**
 * Checks that an order names each checkout that can be paid at the provider. Orders are read after the checkouts, and a checkout that an
 * order calls closed is read again, because it may have been closed since.
 */
export async function auditCheckouts(db: Db, provider: PaymentProvider): Promise<string[]> {
  const wrong: string[] = [];
  try {
    for (const open of await provider.listOpenCheckouts()) {
      const findings = checkOpenCheckout(open, (await findOrder(db, open.orderId)) ?? undefined);
      const isStillOpen = findings.length > 0 && (await provider.fetchCheckout(open.ref)).state === "open";
      if (!isStillOpen) continue;
      // A response of the provider may have been stored since the read.
      wrong.push(...checkOpenCheckout(open, (await findOrder(db, open.orderId)) ?? undefined));
    }
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    wrong.push(
      `checkouts: were not checked, because the payment provider did not list them: ${error.message}`,
    );
  }
  return wrong;
}
