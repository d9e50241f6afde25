// Moves an order through its steps, each within one transaction together with its effects: what was bought, the receipt, the payment, the
// mail. Nothing else writes an order that has been paid.
import { AppError } from "../../../proto/codes.ts";
import { localTimes } from "../../../runtime/local-times.ts";
import { Reconsider, type TxContext } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { giveHeldWelcome } from "../../identity/credits/welcome.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { type MailWords, queueMail } from "../../kernel/mail/queue.ts";
import { fulfilmentOf } from "./fulfil.ts";
import { disputedMail, fulfilledMail, refundedMail, refusedMail } from "./mails.ts";
import { addNote, REASONS, receiptNumber, returning, takeStep } from "./rules.ts";
import {
  findPaymentOf,
  findUpgradesOf,
  nextReceipt,
  type OrderDoc,
  saveOrder,
  savePayment,
} from "./store.ts";

export async function findBuyer(app: App, tx: TxContext, order: OrderDoc): Promise<AccountDoc> {
  const account = (await loadAccounts(app, [order.account_id], tx)).get(order.account_id)?.account;
  if (!account) throw new Error(`order ${order._id} names an account that does not exist`);
  return account;
}

/**
 * A placed order that has been paid, or costs nothing: it is fulfilled, or refused if what was bought cannot be given any more. Its account
 * is judged now.
 */
export async function payAndFulfil(app: App, tx: TxContext, placed: OrderDoc): Promise<OrderDoc> {
  const paid = takeStep({ ...placed, paid_at: tx.now }, "paid", { at: tx.now });
  const account = await findBuyer(app, tx, paid);
  const refusal = account.status === "deleted" ? REASONS.accountGone : tx.reconsidered?.get(paid._id);
  if (refusal !== undefined) return refuse(app, tx, paid, refusal);
  try {
    await fulfilmentOf(paid).give({ app, tx, order: paid, account });
  } catch (error) {
    // Whatever it has written by then is undone with this try.
    throw error instanceof AppError ? new Reconsider(paid._id, error.message) : error;
  }
  const isPaidFor = paid.amount_cents > 0;
  if (isPaidFor) await giveHeldWelcome(app, tx, account._id);
  const year = tx.now.getUTCFullYear();
  const fulfilled = takeStep(
    {
      ...paid,
      receipt_number: isPaidFor ? receiptNumber(year, await nextReceipt(app.mongo.db, year, tx)) : null,
      ...(isPaidFor && { invoice: invoiceOf(app, account) }),
    },
    "fulfilled",
    { at: tx.now },
  );
  const words = { baseUrl: app.baseUrl, times: localTimes(account.time_zone) };
  await tellEnd(app, tx, fulfilled, "fulfilled", fulfilledMail(fulfilled, words));
  return fulfilled;
}

/** What its two sides are at this moment. */
export function invoiceOf(
  { config }: Pick<App, "config">,
  { billing }: Pick<AccountDoc, "billing">,
): NonNullable<OrderDoc["invoice"]> {
  return { seller: config.seller, ...(billing && { buyer: billing }) };
}

/** A placed order whose payment differs from what was expected. */
export async function payAndRefuse(
  app: App,
  tx: TxContext,
  placed: OrderDoc,
  reason: string,
): Promise<OrderDoc> {
  return refuse(app, tx, takeStep({ ...placed, paid_at: tx.now }, "paid", { at: tx.now }), reason);
}

async function refuse(app: App, tx: TxContext, paid: OrderDoc, reason: string): Promise<OrderDoc> {
  const refused = takeStep(paid, "refused", { at: tx.now, note: reason });
  await tellEnd(app, tx, refused, "refused", refusedMail(refused, app.baseUrl));
  return refused;
}

/** Refunds the payment and takes back what it bought. */
export async function refund(
  app: App,
  tx: TxContext,
  order: OrderDoc,
  { reason, step = "refunded" }: { reason: string; step?: "refunded" | "dispute_lost" },
): Promise<OrderDoc> {
  const taken = await takeBack(app, tx, order, true);
  const refunded = takeStep(taken, step, { at: tx.now, note: reason });
  await tellEnd(app, tx, refunded, "refunded", refundedMail(refunded, app.baseUrl));
  await refundUpgrades(app, tx, order);
  return refunded;
}

/** The price of an upgrade was reduced by what was paid for a licence: if that is refunded, the upgrade is refunded too. */
async function refundUpgrades(app: App, tx: TxContext, order: OrderDoc): Promise<void> {
  const { db } = app.mongo;
  if (order.kind !== "product") return;
  for (const upgrade of await findUpgradesOf(db, order, ["fulfilled", "disputed"], tx)) {
    await saveOrder(db, await refund(app, tx, upgrade, { reason: REASONS.upgradedGone }), tx);
    const payment = await findPaymentOf(db, upgrade, tx);
    if (payment) await savePayment(db, returning(payment, REASONS.upgradedGone, tx.now), tx);
  }
}

/** Suspends what was bought. */
export async function dispute(app: App, tx: TxContext, order: OrderDoc): Promise<OrderDoc> {
  const taken = await takeBack(app, tx, order, false);
  const disputed = takeStep(taken, "disputed", { at: tx.now, note: REASONS.disputed });
  await tellEnd(app, tx, disputed, "disputed", disputedMail(disputed, app.baseUrl));
  return disputed;
}

/** Restores what was suspended; a deleted account gets nothing back. */
export async function winDispute(app: App, tx: TxContext, order: OrderDoc): Promise<OrderDoc> {
  const account = await findBuyer(app, tx, order);
  const won = { ...takeStep(order, "dispute_won", { at: tx.now }), reason: null };
  if (account.status === "deleted") return won;
  await fulfilmentOf(order).restore({ app, tx, order, account });
  return { ...won, credits_taken_back: 0 };
}

async function takeBack(app: App, tx: TxContext, order: OrderDoc, isPermanent: boolean): Promise<OrderDoc> {
  const account = await findBuyer(app, tx, order);
  const delivery = { app, tx, order, account };
  const { taken, gone } = await fulfilmentOf(order).takeBack(delivery, isPermanent);
  const after = { ...order, credits_taken_back: order.credits_taken_back + taken };
  return isPermanent && gone > 0
    ? addNote(after, tx.now, `${gone} credits had been spent and could not be taken back.`)
    : after;
}

/** The account event of this step, and a mail. */
async function tellEnd(
  app: App,
  tx: TxContext,
  order: OrderDoc,
  step: "fulfilled" | "refused" | "refunded" | "disputed",
  mail: MailWords,
): Promise<void> {
  const { _id: order_id, account_id: accountId, kind, amount_cents, currency } = order;
  const data = { order_id, kind, amount_cents, currency };
  await recordEvents(app, tx, [{ accountId, event: `order.${step}`, data }]);
  await tell(app, tx, order, mail);
}

/** No mail is sent about the orders of a deleted account. */
export async function tell(
  app: App,
  tx: TxContext,
  order: OrderDoc,
  mail: MailWords,
  ref = order._id,
): Promise<void> {
  const { email } = await findBuyer(app, tx, order);
  if (email === "") return;
  await queueMail(app, tx, { ...mail, accountId: order.account_id, to: email, ref });
}
