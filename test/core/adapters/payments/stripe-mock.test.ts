// Sends every request of the Stripe adapter to Stripe's own stripe-mock, which refuses unknown fields and wrong types.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewCheckout } from "../../../../core/adapters/payments/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import {
  BUILD_BOUND_MS,
  startStripeMock,
  type StripeMock,
  canRunStripeMock,
} from "../../../support/stripe/mock.ts";
import type { StripeRequest } from "../../../support/stripe/server.ts";
import { createStripeFixture, SECRET_KEY, type StripeFixture } from "../../../support/stripe/world.ts";

let database: TestDatabase;
let mock: StripeMock;
let made = 0;

function wanted(every: NewCheckout["every"]): NewCheckout {
  made += 1;
  return {
    idempotencyKey: `order ${made}`,
    orderId: `ord_${made}`,
    accountId: "acc_1",
    email: "ada@example.com",
    items: [{ name: "Pro", amountCents: 1900 }],
    currency: "usd",
    every,
    ...(every !== "once" && { subscriptionId: "sub_ours" }),
    returnUrl: "https://atelier.test/checkout",
    expiresAt: new Date("2026-01-01T10:00:00.000Z"),
    at: new Date("2026-01-01T00:00:00.000Z"),
  };
}

/** Calls everything in the adapter's interface once. */
async function askForAll(world: StripeFixture): Promise<void> {
  const { provider, double } = world;
  const open = await provider.createCheckout(wanted("once"));
  await provider.cancelCheckout(open.ref);
  const { ref } = await provider.createCheckout(wanted("once"));
  double.bank.pay(ref);
  const { payment } = await provider.fetchCheckout(ref);
  await provider.refund({ idempotencyKey: "back", paymentRef: payment?.ref ?? "" });
  await provider.createPortal({ accountId: "acc_1", returnUrl: "https://atelier.test/account" });
  for (const every of ["month", "year"] as const) {
    const checkout = await provider.createCheckout(wanted(every));
    double.bank.pay(checkout.ref);
    const subscription = (await provider.fetchCheckout(checkout.ref)).subscriptionRef ?? "";
    const item = { name: "Studio", amountCents: 9900 };
    const change = { ref: subscription, item, currency: "usd", every } as const;
    await provider.changeSubscription({ ...change, idempotencyKey: `${every} 1`, when: "now" });
    await provider.changeSubscription({ ...change, idempotencyKey: `${every} 2`, when: "period_end" });
    await provider.readSubscription(subscription);
    for (const when of ["period_end", "resume", "now"] as const)
      await provider.cancelSubscription({ idempotencyKey: `${every} ${when}`, ref: subscription, when });
  }
  for (const event of world.news()) await world.read(event);
}

/** Stripe's response to the same request. */
async function judge({
  method,
  path,
  body,
  version,
}: StripeRequest): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${mock.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
      "stripe-version": version ?? "",
    },
    ...(method === "POST" && { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.skipIf(!canRunStripeMock)("stripe-mock (left out where there is no Go to build it)", () => {
  beforeAll(async () => {
    [database, mock] = await Promise.all([createTestDatabase(), startStripeMock()]);
  }, BUILD_BOUND_MS);
  afterAll(async () => {
    await mock.close();
    await database.drop();
  });

  test("accepts every request of the adapter", async () => {
    const asked = new Set<string>();
    for (const tax of [false, true]) {
      const world = await createStripeFixture(database.mongo, { tax });
      await askForAll(world);
      for (const request of world.double.requests) {
        const { status, text } = await judge(request);
        expect({ request, status, text: status === 200 ? "" : text }).toMatchObject({ status: 200 });
        asked.add(
          `${request.method} ${new URL(request.path, mock.baseUrl).pathname.replace(/\/\w*_\w*\d\w*/g, "/:id")}`,
        );
      }
      await world.close();
    }
    expect([...asked].toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /v1/subscriptions/:id",
        "GET /v1/checkout/sessions/:id",
        "GET /v1/invoices/:id",
        "GET /v1/subscription_schedules/:id",
        "GET /v1/subscriptions/:id",
        "POST /v1/billing_portal/sessions",
        "POST /v1/checkout/sessions",
        "POST /v1/checkout/sessions/:id/expire",
        "POST /v1/customers",
        "POST /v1/products",
        "POST /v1/refunds",
        "POST /v1/subscription_schedules",
        "POST /v1/subscription_schedules/:id",
        "POST /v1/subscription_schedules/:id/release",
        "POST /v1/subscriptions/:id",
      ]
    `);
  });

  test("refuses parameters that Stripe does not know", async () => {
    const request = { method: "POST", path: "/v1/checkout/sessions", key: undefined, version: undefined };
    expect(await judge({ ...request, body: "mode=payment&weather=fine" })).toMatchObject({ status: 400 });
  });
});
