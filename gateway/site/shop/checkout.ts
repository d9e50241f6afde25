// Ordering and paying: POST /checkout, /checkout/{order}, and the page that people come back to. A browser is never trusted about a payment: pages only show what core knows.
import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CoreClient } from "../../../proto/client.ts";
import { fromMessage } from "../../../proto/codec.ts";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { type OrderResource, orderSchema } from "../../../proto/resources/order.ts";
import type { PlaceOrderRequest } from "../../../proto/types/atelier/v1/PlaceOrderRequest.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import type { Wanted } from "./buy-form.ts";
import { checkoutPage, leavingPage, priceChangedPage, waitingPage } from "./checkout-page.ts";
import { CHECKOUT_PATH, checkoutPath, orderPath } from "./shop-paths.ts";

const MAX_ID = 64;
const orderParams = z.object({ order_id: z.string().max(MAX_ID) });
/** How often the page looks again, and for how long. */
const REFRESH_SECONDS = 2;
const MAX_LOOKS = 30;
const looks = z.object({ looked: z.coerce.number().int().min(0).max(MAX_LOOKS).catch(0) });
/** A request without a price comes from someone who has seen none, and is asked to confirm it. */
export const NOT_SEEN = -1;
const wholeCents = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export function checkoutPages(app: GatewayApp, options: GatewayOptions): void {
  const { core, baseUrl } = options;
  placePage(app, options);
  codePage(app, options);

  app.get(`${CHECKOUT_PATH}/:order_id`, { schema: { params: orderParams } }, async (request, reply) => {
    const order = await readOrder(core, request, request.params.order_id);
    if (order.state !== "placed") return reply.redirect(orderPath(order.order_id), 303);
    return renderPage(reply, checkoutPage({ person: request.person, order, isTest: await isTest(core) }));
  });

  app.post(`${CHECKOUT_PATH}/:order_id/pay`, { schema: { params: orderParams } }, async (request, reply) => {
    const { order_id } = request.params;
    try {
      const started = await core.orders.StartCheckout(
        { order_id, expected_cents: seenCents(formOf(request)) ?? NOT_SEEN },
        personCall(request),
      );
      if (started.url === "" || !started.order) return await reply.redirect(orderPath(order_id), 303);
      // By its path, however this site was reached.
      if (started.url.startsWith(`${baseUrl}/`))
        return await reply.redirect(started.url.slice(baseUrl.length), 303);
      const order = fromMessage(orderSchema, started.order);
      return renderPage(
        reply.header("refresh", `0; url=${started.url}`),
        leavingPage(request.person, order, started.url),
      );
    } catch (error) {
      const newCents = changedTo(error);
      if (newCents === undefined && !isNotPayable(error)) throw error;
      const order = await readOrder(core, request, order_id);
      // Paid by an earlier press, or over: the order says which.
      if (order.state !== "placed") return reply.redirect(orderPath(order_id), 303);
      if (newCents === undefined) throw error;
      const seen = seenCents(formOf(request)) ?? order.amount_cents;
      const view = { person: request.person, order, seenCents: seen, newCents, isTest: await isTest(core) };
      return renderPage(reply, { ...checkoutPage(view), status: 409 });
    }
  });

  app.post(
    `${CHECKOUT_PATH}/:order_id/cancel`,
    { schema: { params: orderParams } },
    async (request, reply) => {
      const { order_id } = request.params;
      await core.orders.CancelOrder({ order_id }, personCall(request));
      return reply.redirect(orderPath(order_id), 303);
    },
  );

  app.get(
    `${CHECKOUT_PATH}/:order_id/return`,
    { schema: { params: orderParams, querystring: looks } },
    async (request, reply) => {
      const order = await readOrder(core, request, request.params.order_id);
      if (order.state !== "placed") return reply.redirect(orderPath(order.order_id), 303);
      const { looked } = request.query;
      const isRefreshing = looked < MAX_LOOKS;
      if (isRefreshing)
        reply.header(
          "refresh",
          `${REFRESH_SECONDS}; url=${checkoutPath(order.order_id)}/return?looked=${looked + 1}`,
        );
      return renderPage(reply, waitingPage(request.person, order, isRefreshing));
    },
  );
}

async function readOrder(
  core: CoreClient,
  request: FastifyRequest,
  order_id: string,
): Promise<OrderResource> {
  return fromMessage(orderSchema, await core.orders.GetOrder({ order_id }, personCall(request)));
}

async function isTest(core: CoreClient): Promise<boolean> {
  return (await core.orders.DescribeShop({})).payments === "demo";
}

function codePage(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(`${CHECKOUT_PATH}/:order_id/code`, { schema: { params: orderParams } }, async (request, reply) => {
    const { order_id } = request.params;
    const code = formOf(request).get("code");
    try {
      await core.orders.ApplyCode({ order_id, code }, personCall(request));
      return await reply.redirect(checkoutPath(order_id), 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.issues?.[0]?.path !== "code") throw error;
      const refusedCode = { code, why: error.issues[0].message };
      const order = await readOrder(core, request, order_id);
      const view = { person: request.person, order, refusedCode, isTest: await isTest(core) };
      return renderPage(reply, { ...checkoutPage(view), status: 400 });
    }
  });
}

function placePage(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(CHECKOUT_PATH, async (request, reply: FastifyReply) => {
    const form = formOf(request);
    const wanted = readWanted(form);
    const seenCents = readCents(form);
    const key = form.get("idempotency_key");
    try {
      const order = await core.orders.PlaceOrder(
        { idempotency_key: key, expected_cents: seenCents, ...toMessage(wanted) },
        personCall(request),
      );
      const next = order.state === "placed" ? checkoutPath(order.order_id) : orderPath(order.order_id);
      return await reply.redirect(next, 303);
    } catch (error) {
      const cents = changedTo(error);
      if (cents === undefined) throw error;
      // Nothing was placed with this key, but a press at the new price is another request.
      const page = priceChangedPage(request.person, { wanted, cents, seenCents, key: randomUUID() });
      return renderPage(reply, page);
    }
  });
}

function readWanted(form: Form): Wanted {
  const [pack, plan, tier] = [form.get("pack"), form.get("plan"), form.get("tier")];
  if (pack !== "") return { pack };
  if (plan !== "") return { plan };
  if (tier !== "") return { tier, interval: form.get("interval") === "year" ? "year" : "month" };
  return { product: form.get("product"), licence: form.get("licence") };
}

export function toMessage(
  wanted: Wanted,
): Pick<PlaceOrderRequest, "product" | "pack" | "plan" | "membership"> {
  if ("pack" in wanted) return { pack: { pack: wanted.pack } };
  if ("plan" in wanted) return { plan: { plan: wanted.plan } };
  if ("tier" in wanted) return { membership: { tier: wanted.tier, interval: wanted.interval } };
  return { product: { product_slug: wanted.product, licence: wanted.licence } };
}

/** undefined where the form does not say what its page showed. */
function seenCents(form: Form): number | undefined {
  const sent = form.get("expected_cents");
  return sent === "" ? undefined : wholeCents.safeParse(sent).data;
}

function readCents(form: Form): number {
  const cents = seenCents(form);
  if (cents !== undefined) return cents;
  throw invalidField("expected_cents", "must be the price that the page showed, in cents");
}

function isNotPayable(error: unknown): boolean {
  return error instanceof AppError && error.code === "order_not_payable";
}

function changedTo(error: unknown): number | undefined {
  return error instanceof AppError && error.code === "price_changed"
    ? error.numbers?.["amount_cents"]
    : undefined;
}
