// Applies a discount code to an unpaid order, or removes it. The order that has a code has used it, in the same transaction; an order that
// ends unpaid no longer counts.
import { inTx } from "../../base/mongo/in-tx.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { liveCheckouts } from "./checkout-rules.ts";
import { closeCheckouts, inRounds, notPayable } from "./checkout.ts";
import { codeName, codeRefusal } from "./code-rules.ts";
import { wrongCode } from "./codes.ts";
import { findOwnOrder } from "./list-orders.ts";
import { type Claims, codeOf, type CodeTerms, reducedPrice } from "./price-rules.ts";
import { quote, wantedOf } from "./quote.ts";
import { addNote, priceNote } from "./rules.ts";
import { claimCode, countUses } from "./store-codes.ts";
import { findOrder, type OrderDoc, saveOrder } from "./store.ts";

const MAX_TYPED = 100;

/**
 * An empty code removes the one that the order has; another replaces it. Throws not_found, order_not_payable, invalid_request with the reason
 * for a code that cannot be used, service_unavailable, and what quote throws.
 */
export async function applyCode(
  app: App,
  accountId: string,
  { orderId, code: typed }: { orderId: string; code: string },
): Promise<OrderDoc> {
  const name = codeName(typed.slice(0, MAX_TYPED));
  return inRounds(async () => {
    const order = await findOwnOrder(app, accountId, orderId);
    const isOver = order.state !== "placed" || order.expires_at <= app.clock.now();
    if (isOver) throw notPayable(order, "be changed any more");
    if ((codeOf(order.reductions ?? [])?.code ?? "") === name) return order;
    await closeCheckouts(app, order, notPayable, "be changed");
    const { item, claims = {} } = await quote(app, await getAccount(app, accountId), wantedOf(order));
    return inTx(app, async (tx) => {
      const now = await findOrder(app.mongo.db, orderId, tx);
      if (now?.state !== "placed" || liveCheckouts(now).length > 0) return undefined;
      const code = name === "" ? undefined : await claim(app, tx, { ...now, items: [item] }, name);
      const priced = { ...now, items: [item], ...priceWith(item.amount_cents, claims, code) };
      const changed =
        priced.amount_cents === now.amount_cents
          ? priced
          : addNote(priced, tx.now, priceNote(now.amount_cents, priced.amount_cents));
      await saveOrder(app.mongo.db, changed, tx);
      return changed;
    });
  });
}

function priceWith(
  listCents: number,
  claims: Claims,
  code: CodeTerms | undefined,
): Pick<OrderDoc, "amount_cents"> & Required<Pick<OrderDoc, "reductions">> {
  const { cents: amount_cents, reductions } = reducedPrice(listCents, { ...claims, code });
  if (code && !codeOf(reductions))
    throw wrongCode("This costs nothing already, so there is nothing to take off.");
  return { amount_cents, reductions };
}

/** Throws invalid_request with the reason. */
async function claim(
  app: App,
  tx: Parameters<typeof claimCode>[2],
  order: OrderDoc,
  name: string,
): Promise<CodeTerms> {
  const { db } = app.mongo;
  const code = await claimCode(db, name, tx);
  const [item] = order.items;
  if (!code || !item) throw wrongCode(`There is no code ${name}.`);
  const refusal = codeRefusal(code, { item, uses: await countUses(db, name, order, tx), at: tx.now });
  if (refusal !== undefined) throw wrongCode(refusal);
  return { code: name, percent: code.percent, off_cents: code.off_cents };
}
