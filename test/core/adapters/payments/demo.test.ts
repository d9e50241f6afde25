// The demo payment provider: idempotent checkouts, signed events, and their configured delivery.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliverDemoEvent } from "../../../../core/adapters/payments/deliver-demo.ts";
import { createDemoProvider } from "../../../../core/adapters/payments/demo.ts";
import {
  BadSignature,
  type NewCheckout,
  type PaymentEventBody,
} from "../../../../core/adapters/payments/provider.ts";
import { createPayments } from "../../../../core/adapters/payments/registry.ts";
import {
  DEMO_SIGNATURE,
  demoHeaders,
  type DemoDelivery,
  LATE_MS,
} from "../../../../core/adapters/payments/rules.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { createMetrics } from "../../../../runtime/ops/metrics.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestDatabase } from "../../../support/database.ts";

const SECRETS = ["the secret of this installation, long enough"] as const;
const clock = createFakeClock();
let server: Server;
let baseUrl = "";
let answers: number[] = [];
/** Resolves when the endpoint may answer the current event. */
let held: Promise<void> | undefined;
let received: { url: string | undefined; body: string; signature: string }[] = [];
let made = 0;

const database = useTestDatabase();
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", async () => {
      received.push({ url: request.url, body, signature: String(request.headers[DEMO_SIGNATURE]) });
      const status = answers.shift() ?? 200;
      await held;
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answers = [];
  held = undefined;
  received = [];
});
afterAll(() => server.close());

const provider = () => createDemoProvider({ mongo: database.mongo, clock, secrets: SECRETS, baseUrl });
const log = createLog("silent", "test");
const deliver = () =>
  deliverDemoEvent(
    { mongo: database.mongo, clock, secrets: SECRETS, baseUrl, log },
    new AbortController().signal,
  );

function wanted(): NewCheckout {
  made += 1;
  return {
    idempotencyKey: `key ${made}`,
    orderId: `ord_${made}`,
    accountId: "acc_1",
    email: "ada@example.com",
    items: [{ name: "Icons", amountCents: 1900 }],
    currency: "usd",
    every: "once",
    returnUrl: "http://localhost/checkout",
    expiresAt: new Date(clock.now().getTime() + 24 * 3_600_000),
    at: clock.now(),
  };
}

async function pay(delivery: DemoDelivery, action: "pay" | "decline" = "pay"): Promise<string> {
  const { ref } = await provider().createCheckout(wanted());
  await provider().press({ ref, accountId: "acc_1", action, delivery });
  return ref;
}

describe("a checkout", () => {
  test("is the same for the same idempotency key", async () => {
    const request = wanted();
    const [one, two] = [await provider().createCheckout(request), await provider().createCheckout(request)];
    expect(two).toEqual(one);
    expect(one).toMatchObject({ state: "open", url: `${baseUrl}/payments/demo/${one.ref}`, payment: null });
  });

  test("is paid once and by its own account only; a second press changes nothing", async () => {
    const { ref } = await provider().createCheckout(wanted());
    const press = { ref, accountId: "acc_1", action: "pay", delivery: "never" } as const;
    expect(await provider().press({ ...press, accountId: "acc_2" })).toBeUndefined();
    expect((await provider().fetchCheckout(ref)).state).toBe("open");
    await provider().press(press);
    const paid = await provider().fetchCheckout(ref);
    expect(paid).toMatchObject({ state: "paid", url: null, payment: { amountCents: 1900, currency: "usd" } });
    await provider().press({ ...press, action: "decline" });
    expect(await provider().fetchCheckout(ref)).toEqual(paid);
    expect((await provider().cancelCheckout(ref)).state).toBe("paid");
  });

  test("expires or is cancelled, and cannot be paid afterwards", async () => {
    const late = await provider().createCheckout(wanted());
    clock.advance(24 * 3_600_000);
    await provider().press({ ref: late.ref, accountId: "acc_1", action: "pay", delivery: "once" });
    expect((await provider().fetchCheckout(late.ref)).state).toBe("expired");
    const { ref } = await provider().createCheckout(wanted());
    expect((await provider().cancelCheckout(ref)).state).toBe("cancelled");
    await provider().press({ ref, accountId: "acc_1", action: "pay", delivery: "once" });
    expect((await provider().fetchCheckout(ref)).state).toBe("cancelled");
    expect(await deliver()).toBe(false);
  });
});

describe("events of the demo provider", () => {
  test("carry a signature that this installation verifies", async () => {
    const ref = await pay("once");
    expect(await deliver()).toBe(true);
    expect(await deliver()).toBe(false);
    const [event] = received;
    expect(event?.url).toBe("/webhooks/payments/demo");
    const read = await provider().readEvent(Buffer.from(event?.body ?? ""), {
      [DEMO_SIGNATURE]: event?.signature ?? "",
    });
    expect(read.news).toMatchObject({ kind: "paid", checkoutRef: ref, payment: { amountCents: 1900 } });
  });

  test("are sent twice, late or never as the checkout was told to", async () => {
    await pay("twice");
    await deliver();
    await deliver();
    expect(received).toHaveLength(2);
    expect(received[0]?.body).toBe(received[1]?.body);
    expect(await deliver()).toBe(false);
    await pay("late");
    expect(await deliver()).toBe(false);
    clock.advance(LATE_MS);
    expect(await deliver()).toBe(true);
    await pay("never");
    expect(await deliver()).toBe(false);
  });

  test("are sent again when the endpoint failed, and not when it refused", async () => {
    await pay("once", "decline");
    answers = [503];
    await deliver();
    expect(await deliver()).toBe(false);
    clock.advance(1_000);
    expect(await deliver()).toBe(true);
    clock.advance(3_600_000);
    expect(await deliver()).toBe(false);
    await pay("once");
    answers = [400];
    await deliver();
    clock.advance(3_600_000);
    expect(await deliver()).toBe(false);
  });

  test("are not changed by a sender whose lease has ended", async () => {
    await pay("twice");
    const frozen = Promise.withResolvers<void>();
    held = frozen.promise;
    answers = [500];
    const late = deliver();
    await expect.poll(() => received.length).toBe(1);
    held = undefined;
    clock.advance(30_000);
    expect(await deliver()).toBe(true);
    const before = await database.mongo.db.collection("demo_events").find().toArray();
    frozen.resolve();
    await late;
    expect(await database.mongo.db.collection("demo_events").find().toArray()).toEqual(before);
    expect(await deliver()).toBe(true);
    expect(await deliver()).toBe(false);
  });

  test("report a refund once, however often it is requested", async () => {
    const ref = await pay("never");
    const { payment } = await provider().fetchCheckout(ref);
    const refund = { idempotencyKey: "r", paymentRef: payment?.ref ?? "" };
    await provider().refund(refund);
    await provider().refund(refund);
    await deliver();
    expect(await deliver()).toBe(false);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      news: { kind: "refunded", amountCents: 1900 },
    });
  });
});

describe("parsing an event refuses", () => {
  const body = JSON.stringify({
    id: "e1",
    at: clock.now(),
    news: { kind: "dispute_opened", paymentRef: "p" },
  });
  const read = (text: string, headers: Record<string, string>) =>
    provider().readEvent(Buffer.from(text), headers);

  test("a missing signature, another secret, and a changed body", async () => {
    const good = demoHeaders(body, SECRETS, clock.now());
    await expect(read(body, good)).resolves.toMatchObject({ news: { kind: "dispute_opened" } });
    await expect(read(body, {})).rejects.toThrow(BadSignature);
    await expect(read(`${body} `, good)).rejects.toThrow(BadSignature);
    await expect(read(body, demoHeaders(body, [`${SECRETS[0]}!`], clock.now()))).rejects.toThrow(
      BadSignature,
    );
    await expect(read(body, { [DEMO_SIGNATURE]: "t=1,v1=zz" })).rejects.toThrow(BadSignature);
  });

  test("a signature more than five minutes old or ahead", async () => {
    for (const [offsetMs, isGood] of [
      [-300_000, true],
      [-301_000, false],
      [301_000, false],
    ] as const) {
      const headers = demoHeaders(body, SECRETS, new Date(clock.now().getTime() + offsetMs));
      const reading = read(body, headers);
      if (isGood) await expect(reading).resolves.toBeDefined();
      else await expect(reading).rejects.toThrow("too long ago");
    }
  });

  test("returns nothing for a signed event of an unknown type", async () => {
    const other = JSON.stringify({ id: "e2", at: clock.now(), news: { kind: "weather" } });
    const event = await read(other, demoHeaders(other, SECRETS, clock.now()));
    expect(event).toMatchObject({ id: "e2", news: { kind: "other" } });
  });
});

test("subscription events are parsed as they were sent", async () => {
  const at = clock.now();
  const facts = { subscriptionRef: "demo_sub_1", subscriptionId: "sub_1" };
  const payment = { ref: "demo_pay_1", amountCents: 900, taxCents: 0, currency: "usd", at };
  const period = { from: at, until: new Date(at.getTime() + 30 * 86_400_000) };
  const told: PaymentEventBody[] = [
    { kind: "renewed", ...facts, payment: { ...payment, period } },
    { kind: "change_paid", ...facts, payment, priceCents: 900 },
    { kind: "renewal_failed", ...facts },
    { kind: "subscription_changed", ...facts, paidUntil: period.until, endsThen: true },
    { kind: "subscription_ended", ...facts },
  ];
  for (const news of told) {
    const body = JSON.stringify({ id: `e_${news.kind}`, at, news });
    const read = await provider().readEvent(Buffer.from(body), demoHeaders(body, SECRETS, at));
    expect(read.news).toEqual(news);
  }
});

test("the demo provider is the default in development, and refused in production", async () => {
  const options = { mongo: database.mongo, clock, secrets: SECRETS, baseUrl, log, metrics: createMetrics() };
  expect((await createPayments(loadConfig({}), options)).current?.name).toBe("demo");
  expect((await createPayments(loadConfig({ ATELIER_PAYMENTS: "none" }), options)).current).toBeUndefined();
  const production = { ...loadConfig({}), profile: "production" as const };
  expect((await createPayments(production, options)).current).toBeUndefined();
  expect(() => loadConfig({ NODE_ENV: "production", ATELIER_PAYMENTS: "demo" })).toThrow(
    /ATELIER_PAYMENTS: demo/,
  );
});
