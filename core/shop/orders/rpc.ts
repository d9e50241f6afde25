// The Orders service: decode, call the verb, encode.
import { z } from "zod";
import { toMessages } from "../../../proto/codec.ts";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { creditPackSchema, orderReductionSchema } from "../../../proto/resources/order.ts";
import type { DemoCheckoutInput } from "../../../proto/types/atelier/v1/DemoCheckout.ts";
import type { OrdersDefinition } from "../../../proto/types/atelier/v1/Orders.ts";
import type { PlaceOrderRequest } from "../../../proto/types/atelier/v1/PlaceOrderRequest.ts";
import { DEMO_ACTIONS, type DemoProvider } from "../../adapters/payments/demo.ts";
import { BadSignature, PaymentProviderFailed } from "../../adapters/payments/provider.ts";
import { DEMO_DELIVERIES } from "../../adapters/payments/rules.ts";
import { authenticateMember } from "../../identity/accounts/authenticate.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { applyCode } from "./apply-code.ts";
import { cancelOrder, startCheckout } from "./checkout.ts";
import { findOwnOrder, listOrders } from "./list-orders.ts";
import { listPacks } from "./packs.ts";
import { placeOrder } from "./place-order.ts";
import { quoteLicences, type WantedItem } from "./quote.ts";
import { orderMessage, ownOrderMessage, toPack } from "./resource.ts";
import { takeEvent } from "./take-event.ts";

const pressSchema = z.object({ action: z.enum(DEMO_ACTIONS), delivery: z.enum(DEMO_DELIVERIES) });

export function ordersHandlers(app: App): Handlers<OrdersDefinition> {
  return {
    DescribeShop: async () => ({ payments: app.payments.current?.name ?? "" }),

    ListPacks: async () => ({
      packs: toMessages(creditPackSchema, (await listPacks(app)).filter(({ active }) => active).map(toPack)),
    }),

    QuoteProduct: async ({ product_slug: slug }, { caller }) => {
      const { account } = await authenticateMember(app, caller);
      const quotes = await quoteLicences(app, account, slug);
      return {
        quotes: quotes.map(({ listCents: list_cents, reductions, refusal, ...of }) => ({
          ...of,
          list_cents,
          reductions: toMessages(orderReductionSchema, reductions),
          refusal: refusal?.code ?? "",
          why: refusal?.message ?? "",
        })),
      };
    },

    PlaceOrder: async (request, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      const { idempotency_key: idempotencyKey, expected_cents: expectedCents } = request;
      const wanted = decodeWanted(request);
      return orderMessage(await placeOrder(app, accountId, { idempotencyKey, expectedCents, wanted }));
    },

    StartCheckout: async ({ order_id: orderId, expected_cents: expectedCents }, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      const { order, url } = await startCheckout(app, accountId, { orderId, expectedCents });
      return { order: orderMessage(order), url };
    },

    ApplyCode: async ({ order_id: orderId, code }, { caller }) =>
      orderMessage(await applyCode(app, await signedInAccount(app, caller), { orderId, code })),

    CancelOrder: async ({ order_id }, { caller }) =>
      orderMessage(await cancelOrder(app, await signedInAccount(app, caller), order_id)),

    GetOrder: async ({ order_id }, { caller }) =>
      ownOrderMessage(app, await findOwnOrder(app, await signedInAccount(app, caller), order_id)),

    ListOrders: async (request, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      const { rows, nextCursor } = await listOrders(app, { accountId }, request);
      return { orders: rows.map(orderMessage), next_cursor: nextCursor };
    },

    TakePaymentEvent: async ({ provider: name, body, headers }) => {
      const provider = app.payments.known.get(name);
      if (!provider) throw new AppError("not_found");
      const event = await provider.readEvent(body, headers).catch((error: unknown) => {
        if (error instanceof BadSignature) throw new AppError("invalid_signature");
        // The event is sent again, and its subject can be queried then.
        throw error instanceof PaymentProviderFailed ? new AppError("service_unavailable") : error;
      });
      return { outcome: (await takeEvent(app, name, event)).what };
    },

    GetDemoCheckout: async ({ ref }, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      return demoMessage(await demoOf(app).findCheckout(ref, accountId));
    },

    PressDemoCheckout: async ({ ref, action, delivery }, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      const demo = demoOf(app);
      demoMessage(await demo.findCheckout(ref, accountId));
      const pressed = parseRequest(pressSchema, { action, delivery });
      return demoMessage(await demo.press({ ref, accountId, ...pressed }));
    },
  };
}

/** Throws not_found if this installation has no such provider. */
function demoOf({ payments }: App): DemoProvider {
  if (payments.demo) return payments.demo;
  throw new AppError("not_found");
}

function demoMessage(checkout: Awaited<ReturnType<DemoProvider["findCheckout"]>>): DemoCheckoutInput {
  if (!checkout) throw new AppError("not_found");
  const { _id, state, orderId, items, currency, every } = checkout;
  return {
    ref: _id,
    state,
    order_id: orderId,
    items: items.map(({ name }) => name),
    amount_cents: items.reduce((sum, { amountCents }) => sum + amountCents, 0),
    currency,
    every,
  };
}

function decodeWanted({ product, pack, plan, membership }: PlaceOrderRequest): WantedItem {
  if (product) return { kind: "product", slug: product.product_slug, licence: product.licence };
  if (pack) return { kind: "credits", pack: pack.pack };
  if (plan) return { kind: "plan", plan: plan.plan };
  if (membership) return { kind: "membership", tier: membership.tier, interval: membership.interval };
  throw invalidField("wanted", "must name a product, a credit pack, a plan or a membership");
}
