// Moves an order through its steps, each within one transaction together with its effects: what was bought, the receipt, the payment, the
// mail. Nothing else writes an order that has been paid.
import { AppError } from "../../../proto/codes.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import { giveHeldWelcome } from "../../identity/credits/welcome.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { fulfilmentOf } from "./fulfil.ts";
import { disputedMail, fulfilledMail, type OrderMail, refundedMail, refusedMail } from "./mails.ts";
import { addNote, REASONS, receiptNumber, takeStep } from "./rules.ts";
import { nextReceipt, type OrderDoc } from "./store.ts";

export type Moment = { app: App; session: ClientSession; at: Date };

export async function findBuyer({ app, session }: Moment, order: OrderDoc): Promise<AccountDoc> {
  const account = (await loadAccounts(app, [order.account_id], session)).get(order.account_id)?.account;
  if (!account) throw new Error(`order ${order._id} is of an account that is not there`);
  return account;
}

/**
 * A placed order that has been paid, or costs nothing: fulfilled, or refused where what was bought cannot be given any more. Its account
 * is judged now.
 */
export async function payAndFulfil(moment: Moment, placed: OrderDoc): Promise<OrderDoc> {
  const { app, session, at } = moment;
  const paid = takeStep({ ...placed, paid_at: at }, "paid", { at });
  const account = await findBuyer(moment, paid);
  try {
    if (account.status === "deleted") throw new AppError("not_for_sale", { message: REASONS.accountGone });
    await fulfilmentOf(paid).give({ app, session, order: paid, account, at });
  } catch (error) {
    // What is decided before anything is written leaves the transaction whole; all else undoes it.
    if (!(error instanceof AppError)) throw error;
    return refuse(moment, paid, error.message);
  }
  const isPaidFor = paid.amount_cents > 0;
  if (isPaidFor) await giveHeldWelcome(app, session, { accountId: account._id, at });
  const year = at.getUTCFullYear();
  const fulfilled = takeStep(
    {
      ...paid,
      receipt_number: isPaidFor ? receiptNumber(year, await nextReceipt(app.mongo.db, year, session)) : null,
    },
    "fulfilled",
    { at },
  );
  await tell(moment, fulfilled, fulfilledMail(fulfilled, app.baseUrl));
  return fulfilled;
}

/** A placed order whose payment is not what it should be. */
export async function payAndRefuse(moment: Moment, placed: OrderDoc, reason: string): Promise<OrderDoc> {
  const { at } = moment;
  return refuse(moment, takeStep({ ...placed, paid_at: at }, "paid", { at }), reason);
}

async function refuse(moment: Moment, paid: OrderDoc, reason: string): Promise<OrderDoc> {
  const refused = takeStep(paid, "refused", { at: moment.at, note: reason });
  await tell(moment, refused, refusedMail(refused, moment.app.baseUrl));
  return refused;
}

/** Gives the payment back and takes back what it bought. */
export async function refund(
  moment: Moment,
  order: OrderDoc,
  { reason, step = "refunded" }: { reason: string; step?: "refunded" | "dispute_lost" },
): Promise<OrderDoc> {
  const taken = await takeBack(moment, order, true);
  const refunded = takeStep(taken, step, { at: moment.at, note: reason });
  await tell(moment, refunded, refundedMail(refunded, moment.app.baseUrl));
  return refunded;
}

/** Suspends what was bought. */
export async function dispute(moment: Moment, order: OrderDoc): Promise<OrderDoc> {
  const taken = await takeBack(moment, order, false);
  const disputed = takeStep(taken, "disputed", { at: moment.at, note: REASONS.disputed });
  await tell(moment, disputed, disputedMail(disputed, moment.app.baseUrl));
  return disputed;
}

/** Restores what was suspended. */
export async function winDispute(moment: Moment, order: OrderDoc): Promise<OrderDoc> {
  const { app, session, at } = moment;
  const account = await findBuyer(moment, order);
  if (account.status !== "deleted") await fulfilmentOf(order).restore({ app, session, order, account, at });
  return { ...takeStep({ ...order, credits_taken_back: 0 }, "dispute_won", { at }), reason: null };
}

async function takeBack(moment: Moment, order: OrderDoc, isForGood: boolean): Promise<OrderDoc> {
  const { app, session, at } = moment;
  const account = await findBuyer(moment, order);
  const delivery = { app, session, order, account, at };
  const { taken, gone } = await fulfilmentOf(order).takeBack(delivery, isForGood);
  const after = { ...order, credits_taken_back: order.credits_taken_back + taken };
  return isForGood && gone > 0
    ? addNote(after, at, `${gone} credits had been spent and could not be taken back.`)
    : after;
}

/** Nobody is told of the orders of an account that is gone. */
export async function tell(moment: Moment, order: OrderDoc, mail: OrderMail, ref = order._id): Promise<void> {
  const { app, session, at } = moment;
  const { email } = await findBuyer(moment, order);
  if (email === "") return;
  await queueMail(app, session, { ...mail, accountId: order.account_id, to: email, ref, at });
}
