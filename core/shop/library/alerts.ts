// Product alerts: one mail to each account that asked for it, once a product to come is on sale.
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { loadAccounts } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import { pageById, type PageRequest } from "../../kernel/page.ts";
import { findProduct, findProductsOf } from "../catalog/find-product.ts";
import { isOnSale, isPublicStatus } from "../catalog/rules.ts";
import type { ProductDoc } from "../catalog/store.ts";
import {
  deleteAlert,
  findAlerts,
  findAwaited,
  findOwnAlerts,
  hasAlert,
  type ProductAlertDoc,
  putAlert,
  takeAlert,
} from "./store-alerts.ts";

const BATCH = 100;

export async function isAlertWanted(app: App, accountId: string, slug: string): Promise<boolean> {
  const product = await findProduct(app, slug);
  return product !== undefined && hasAlert(app.mongo.db, { accountId, productId: product._id });
}

/** Repeating it changes nothing. Throws product_not_found, and invalid_request if the product is on sale. */
export async function wantAlert(app: App, accountId: string, slug: string): Promise<void> {
  const product = await findProduct(app, slug);
  if (!product || !isPublicStatus(product.status)) throw new AppError("product_not_found");
  if (isOnSale(product))
    throw new AppError("invalid_request", {
      message: `${product.name} is on sale already.`,
      hint: "No mail will come about it. Get it on its page.",
    });
  await putAlert(app.mongo.db, {
    _id: app.newId("alt"),
    account_id: accountId,
    product_id: product._id,
    product_slug: product.slug,
    asked_at: app.clock.now(),
  });
}

/** Also of a product that is not public now. */
export async function endAlert(app: App, accountId: string, slug: string): Promise<void> {
  const product = await findProduct(app, slug);
  if (product) await deleteAlert(app.mongo.db, { accountId, productId: product._id });
}

/** Newest first. */
export function listOwnAlerts(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (beforeId, limit) => findOwnAlerts(app.mongo.db, { accountId, beforeId }, limit));
}

/** Queues mails about products that are on sale now. Returns whether there were any: then more may be left. */
export async function sendAlerts(app: App): Promise<boolean> {
  const awaited = await findProductsOf(app, await findAwaited(app.mongo.db));
  const products = new Map(awaited.filter(isOnSale).map((product) => [product._id, product]));
  const alerts = await findAlerts(app.mongo.db, [...products.keys()], BATCH);
  for (const alert of alerts) {
    const product = products.get(alert.product_id);
    if (product) await sendAlert(app, alert, product);
  }
  return alerts.length > 0;
}

/** The alert goes with its mail, so several workers send one, and withdrawing it either prevents the mail or comes too late. */
async function sendAlert(app: App, alert: ProductAlertDoc, { name, slug }: ProductDoc): Promise<void> {
  const { _id: alertId, account_id: accountId } = alert;
  await inTx(app, async (tx) => {
    if (!(await takeAlert(app.mongo.db, alertId, tx))) return;
    const account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
    if (!account || account.status === "deleted") return;
    await queueMail(app, tx, {
      accountId,
      to: account.email,
      subject: `${name} is here`,
      text: `You wanted to know when you can get this. Now you can:

  ${name}

See it: ${app.baseUrl}/products/${encodeURIComponent(slug)}

This is the only mail about it.
`,
      kind: "product.on_sale",
      ref: alertId,
    });
  });
}
