// Buying through Stripe over HTTP: the service's pages and forms, the double in Stripe's place, and its events at the public route.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setProduct } from "../core/shop/orders/shop-fixture.ts";
import { sharedByTests } from "../support/shared.ts";
import { startStripeDouble } from "../support/stripe/server.ts";
import type { StripeEvent } from "../support/stripe/things.ts";
import { SECRET_KEY, signed, WEBHOOK_SECRETS } from "../support/stripe/world.ts";
import { startWholeService } from "../support/whole-service.ts";
import { sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

let ada: Browser;
let people = 0;

const stripe = sharedByTests(() => startStripeDouble(SECRET_KEY));
const service = sharedByTests(() =>
  startWholeService({
    env: {
      ATELIER_PAYMENTS: "stripe",
      ATELIER_STRIPE_SECRET_KEY: SECRET_KEY,
      ATELIER_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRETS.join(","),
      ATELIER_STRIPE_API_BASE: stripe.baseUrl,
    },
  }),
);
beforeAll(() => setProduct(service.app, { slug: "icons", name: "Icons", price_regular_cents: 1950 }));
beforeEach(async () => {
  stripe.bank.clock.now = Math.floor(Date.now() / 1000);
  stripe.failures.length = 0;
  ada = await signInAs(service, `stripe-${(people += 1)}@example.com`);
});

async function placed(): Promise<string> {
  const fields = {
    product: "icons",
    licence: "standard",
    expected_cents: "1950",
    idempotency_key: `key ${people}`,
  };
  const answer = await sendForm(ada, "/checkout", fields);
  return (answer.headers.get("location") ?? "").replace("/checkout/", "");
}

const pay = (orderId: string) => sendForm(ada, `/checkout/${orderId}/pay`, { expected_cents: "1950" });

/** Pays on Stripe's page. Returns the order and Stripe's events. */
async function paid(): Promise<{ orderId: string; event: StripeEvent }> {
  const orderId = await placed();
  const { headers } = await pay(orderId);
  stripe.bank.pay((headers.get("refresh") ?? "").split("/").at(-1) ?? "");
  const event = stripe.bank.events.at(-1);
  if (!event) throw new Error("Stripe has nothing to tell");
  return { orderId, event };
}

function send(event: object, { secret, at = new Date() }: { secret?: string; at?: Date } = {}) {
  const { body, headers } = signed(event, { at, ...(secret !== undefined && { secret }) });
  return service.call("/webhooks/payments/stripe", { method: "POST", body, headers });
}

const stateOf = async (orderId: string) =>
  (await service.core.orders.GetOrder({ order_id: orderId }, callOf(ada))).state;

describe("a customer", () => {
  test("pays on Stripe's page, and gets the product when Stripe confirms", async () => {
    const orderId = await placed();
    const leaving = await pay(orderId);
    expect(leaving.status).toBe(200);
    expect(leaving.headers.get("refresh")).toMatch(/^0; url=https:\/\/checkout\.stripe\.test\/cs_/);
    expect(leaving.text).toContain("https://checkout.stripe.test/cs_");
    stripe.bank.pay((leaving.headers.get("refresh") ?? "").split("/").at(-1) ?? "");
    expect(await stateOf(orderId)).toBe("placed");
    for (const event of stripe.bank.events.slice(-1)) expect((await send(event)).status).toBe(200);
    expect(await stateOf(orderId)).toBe("fulfilled");
    expect((await ada.call("/library", { headers: { accept: "text/html" } })).text).toContain("Icons");
  });

  test("is informed that payments are unavailable while Stripe refuses the key", async () => {
    const orderId = await placed();
    stripe.failures.push({ status: 401, error: { message: "Invalid API Key provided" } });
    const refused = await pay(orderId);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Nothing was charged");
    expect(service.lines.join("")).toContain("ATELIER_STRIPE_SECRET_KEY");
    expect(service.lines.join("")).not.toContain(SECRET_KEY);
    service.errors.length = 0;
  });
});

describe("POST /webhooks/payments/stripe", () => {
  test("applies an event once, signed with either secret", async () => {
    const { orderId, event } = await paid();
    expect((await send(event, { secret: WEBHOOK_SECRETS[1] ?? "" })).body).toMatchObject({
      outcome: "fulfilled",
    });
    expect(await send(event)).toMatchObject({ status: 200, body: { outcome: "duplicate" } });
    expect(await stateOf(orderId)).toBe("fulfilled");
  });

  test("refuses another signature, or an old one, with 400", async () => {
    const { orderId, event } = await paid();
    expect((await send(event, { secret: "whsec_of_somebody" })).status).toBe(400);
    expect((await send(event, { at: new Date(Date.now() - 600_000) })).status).toBe(400);
    expect(await stateOf(orderId)).toBe("placed");
    expect((await send(event)).status).toBe(200);
  });

  test("answers 200 for unknown events", async () => {
    const event = {
      id: "evt_weather",
      object: "event",
      type: "weather.changed",
      created: 1,
      data: { object: {} },
    };
    expect((await send(event)).status).toBe(200);
  });

  test("answers 503, so that the event is sent again, while Stripe cannot be queried", async () => {
    const { orderId, event } = await paid();
    stripe.failures.push("closed", "closed");
    expect((await send(event)).status).toBe(503);
    expect(await stateOf(orderId)).toBe("placed");
    expect((await send(event)).status).toBe(200);
    expect(await stateOf(orderId)).toBe("fulfilled");
    expect(service.errors).toEqual([]);
    expect(await service.audit()).toEqual([]);
  });
});
