// The part of the Admin service for the shop: orders, refunds, subscriptions and credit packs.
import { fromMessage, toMessage, toMessages } from "../../../proto/codec.ts";
import { creditPackSchema, discountCodeSchema } from "../../../proto/resources/order.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { createCode, endDiscountCode, listCodes } from "../../shop/orders/codes.ts";
import { findAnyOrder, listOrders } from "../../shop/orders/list-orders.ts";
import { listPacks, setPack } from "../../shop/orders/packs.ts";
import { refundOrder } from "../../shop/orders/refunds.ts";
import { orderMessage, toPack } from "../../shop/orders/resource.ts";
import {
  endAnySubscription,
  findAnySubscription,
  listAnySubscriptions,
} from "../../shop/subscriptions/any-subscription.ts";
import { subscriptionMessage } from "../../shop/subscriptions/resource.ts";

export function subscriptionHandlers(app: App) {
  return {
    ListAnySubscriptions: async ({ account, state, ...request }) => {
      const accountId = account === "" ? undefined : (await getAnyAccount(app, account))._id;
      const { rows, nextCursor } = await listAnySubscriptions(app, { accountId, state }, request);
      const subscriptions = await Promise.all(rows.map((each) => subscriptionMessage(app, each)));
      return { subscriptions, next_cursor: nextCursor };
    },

    GetAnySubscription: async ({ subscription_id: id }) =>
      subscriptionMessage(app, await findAnySubscription(app, id)),

    EndSubscription: ({ subscription_id: id, note }, call) =>
      recordWrite(app, call, { target: id, detail: note }, async () =>
        subscriptionMessage(app, await endAnySubscription(app, id, note)),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

export function orderHandlers(app: App) {
  return {
    ListAnyOrders: async ({ account, state, ...request }) => {
      const accountId = account === "" ? undefined : (await getAnyAccount(app, account))._id;
      const { rows, nextCursor } = await listOrders(
        app,
        { state, ...(accountId !== undefined && { accountId }) },
        request,
      );
      return { orders: rows.map(orderMessage), next_cursor: nextCursor };
    },

    GetAnyOrder: async ({ order_id }) => orderMessage(await findAnyOrder(app, order_id)),

    RefundOrder: ({ order_id, note }, call) =>
      recordWrite(app, call, { target: order_id, detail: note }, async () =>
        orderMessage(await refundOrder(app, order_id, note || "Support gave the payment back.")),
      ),

    ListDiscountCodes: async () => ({ codes: toMessages(discountCodeSchema, await listCodes(app)) }),

    CreateDiscountCode: (request, call) => {
      const { uses: _, ...code } = fromMessage(discountCodeSchema, request);
      const off = code.percent === null ? `${code.off_cents} cents` : `${code.percent}%`;
      const detail = `${off} off ${code.product_slug ?? "every product"}`;
      return recordWrite(app, call, { target: code.code, detail }, async () =>
        toMessage(discountCodeSchema, await createCode(app, code)),
      );
    },

    EndDiscountCode: ({ code }, call) =>
      recordWrite(app, call, { target: code, detail: "" }, async () =>
        toMessage(discountCodeSchema, await endDiscountCode(app, code)),
      ),

    ListCreditPacks: async () => ({
      packs: toMessages(creditPackSchema, (await listPacks(app)).map(toPack)),
    }),

    SetCreditPack: ({ pack, credits, price_cents, active }, call) =>
      recordWrite(
        app,
        call,
        { target: pack, detail: `${credits} credits for ${price_cents} cents${active ? "" : ", not sold"}` },
        async () =>
          toMessage(
            creditPackSchema,
            toPack(await setPack(app, { _id: pack, credits, price_cents, active })),
          ),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}
