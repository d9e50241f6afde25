// The Stripe provider against a stateful double: checkouts, events, subscriptions and failures.
import { beforeEach, describe, expect, test } from "vitest";
import {
  BadSignature,
  type Checkout,
  type NewCheckout,
  PaymentProviderFailed,
} from "../../../../core/adapters/payments/provider.ts";
import { createPayments } from "../../../../core/adapters/payments/registry.ts";
import { STRIPE_API_VERSION } from "../../../../core/adapters/payments/stripe-calls.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { createMetrics } from "../../../../runtime/ops/metrics.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { sharedByTests } from "../../../support/shared.ts";
import {
  createStripeFixture,
  SECRET_KEY,
  signed,
  type StripeFixture,
  WEBHOOK_SECRETS,
} from "../../../support/stripe/world.ts";

const HOUR_MS = 3_600_000;
let made = 0;

const database = useTestDatabase();
const stripe = sharedByTests(() => createStripeFixture(database.mongo));
beforeEach(() => {
  stripe.double.bank.isDeclining = false;
  stripe.double.requests.length = 0;
  stripe.logged.length = 0;
  stripe.news();
});

function wanted(fields: Partial<NewCheckout> = {}): NewCheckout {
  made += 1;
  return {
    idempotencyKey: `ord_${made}:1`,
    orderId: `ord_${made}`,
    accountId: `acc_${made}`,
    email: "ada@example.com",
    items: [{ name: "Icons & more", amountCents: 1900 }],
    currency: "usd",
    every: "once",
    returnUrl: "http://localhost/checkout",
    expiresAt: new Date(stripe.clock.now().getTime() + 20 * HOUR_MS),
    at: stripe.clock.now(),
    ...fields,
  };
}

const open = (fields: Partial<NewCheckout> = {}): Promise<Checkout> =>
  stripe.provider.createCheckout(wanted(fields));
const posts = (path: string) =>
  stripe.double.requests
    .filter((request) => request.method === "POST" && request.path === path)
    .map(({ body }) => new URLSearchParams(body));
const newsOf = async (type: string) => {
  const events = stripe.news().filter((event) => event.type === type);
  return Promise.all(events.map(async (event) => (await stripe.read(event)).news));
};

async function paid(fields: Partial<NewCheckout> = {}): Promise<Checkout> {
  const { ref } = await open(fields);
  stripe.double.bank.pay(ref);
  return stripe.provider.fetchCheckout(ref);
}

async function subscribed(fields: Partial<NewCheckout> = {}): Promise<string> {
  const { subscriptionRef } = await paid({ every: "month", subscriptionId: "sub_ours", ...fields });
  return subscriptionRef ?? "";
}

describe("a checkout", () => {
  test("has the order's amount, account and expiry", async () => {
    const request = wanted();
    const checkout = await stripe.provider.createCheckout(request);
    expect(checkout).toMatchObject({ state: "open", payment: null, subscriptionRef: null });
    expect(checkout.url).toContain(checkout.ref);
    const [sent] = posts("/v1/checkout/sessions");
    expect(Object.fromEntries(sent ?? [])).toMatchObject({
      mode: "payment",
      client_reference_id: request.orderId,
      "metadata[order_id]": request.orderId,
      "metadata[account_id]": request.accountId,
      "payment_intent_data[metadata][order_id]": request.orderId,
      "line_items[0][price_data][unit_amount]": "1900",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][product_data][name]": "Icons & more",
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      expires_at: String(request.expiresAt.getTime() / 1000),
    });
    expect(sent?.has("automatic_tax[enabled]")).toBe(false);
    expect(stripe.double.requests.every(({ version }) => version === STRIPE_API_VERSION)).toBe(true);
  });

  test("is the same for the same key, also when the response was lost", async () => {
    const request = wanted();
    const one = await stripe.provider.createCheckout(request);
    expect(await stripe.provider.createCheckout(request)).toEqual(one);
    const lost = wanted();
    stripe.double.failures.push("closed");
    const two = await stripe.provider.createCheckout(lost);
    expect(two).toEqual(await stripe.provider.createCheckout(lost));
    expect(stripe.double.requests.every(({ method, key }) => method === "GET" || key !== undefined)).toBe(
      true,
    );
  });

  test("uses one Stripe customer for each account", async () => {
    await open({ accountId: "acc_regular" });
    await open({ accountId: "acc_regular" });
    await Promise.all([open({ accountId: "acc_fast" }), open({ accountId: "acc_fast" })]);
    const customers = posts("/v1/checkout/sessions").map((sent) => sent.get("customer"));
    expect(new Set(customers).size).toBe(2);
    expect(posts("/v1/customers")[0]?.get("metadata[account_id]")).toBe("acc_regular");
  });

  test("creates a new customer when Stripe has deleted the old one", async () => {
    await open({ accountId: "acc_moved" });
    const gone = posts("/v1/checkout/sessions")[0]?.get("customer") ?? "";
    stripe.double.bank.forgetCustomer(gone);
    expect((await open({ accountId: "acc_moved" })).state).toBe("open");
    expect(posts("/v1/checkout/sessions").at(-1)?.get("customer")).not.toBe(gone);
  });

  test("leaves the expiry to Stripe when it is outside Stripe's limits", async () => {
    const soon = new Date(stripe.clock.now().getTime() + HOUR_MS / 4);
    const late = new Date(stripe.clock.now().getTime() + 48 * HOUR_MS);
    for (const expiresAt of [soon, late]) expect((await open({ expiresAt })).state).toBe("open");
    expect(posts("/v1/checkout/sessions").map((sent) => sent.get("expires_at"))).toEqual([null, null]);
  });

  test("reports a payment by event and by query in the same way", async () => {
    const { ref } = await open({ orderId: "ord_paid", accountId: "acc_paid" });
    stripe.double.bank.pay(ref);
    const checkout = await stripe.provider.fetchCheckout(ref);
    expect(checkout).toMatchObject({
      state: "paid",
      url: null,
      payment: { amountCents: 1900, taxCents: 0, currency: "usd", at: stripe.clock.now() },
    });
    expect(checkout.payment?.ref).toMatch(/^pi_/);
    expect(await newsOf("checkout.session.completed")).toEqual([
      {
        kind: "paid",
        checkoutRef: ref,
        orderId: "ord_paid",
        accountId: "acc_paid",
        payment: checkout.payment,
        subscriptionRef: null,
      },
    ]);
  });

  test("stays open when a card is declined, and is paid with another", async () => {
    const { ref } = await open();
    stripe.double.bank.isDeclining = true;
    stripe.double.bank.pay(ref);
    expect((await stripe.provider.fetchCheckout(ref)).state).toBe("open");
    expect(await newsOf("payment_intent.payment_failed")).toMatchObject([{ kind: "other" }]);
    stripe.double.bank.isDeclining = false;
    stripe.double.bank.pay(ref);
    expect((await stripe.provider.fetchCheckout(ref)).state).toBe("paid");
  });

  test("is pending while a bank debit is processed, then paid or declined", async () => {
    for (const [isPaid, state] of [
      [true, "paid"],
      [false, "declined"],
    ] as const) {
      const { ref } = await open();
      stripe.double.bank.payLater(ref);
      expect(await stripe.provider.fetchCheckout(ref)).toMatchObject({
        state: "pending",
        url: null,
        payment: null,
      });
      expect(await newsOf("checkout.session.completed")).toMatchObject([{ kind: "other" }]);
      expect((await stripe.provider.cancelCheckout(ref)).state).toBe("pending");
      stripe.double.bank.bankDecides(ref, isPaid);
      const type = isPaid ? "async_payment_succeeded" : "async_payment_failed";
      expect(await newsOf(`checkout.session.${type}`)).toMatchObject([{ kind: state, checkoutRef: ref }]);
      expect((await stripe.provider.fetchCheckout(ref)).state).toBe(state);
    }
  });

  test("cannot be paid after it was closed or has expired; a paid one stays paid", async () => {
    const closed = await open();
    expect(await stripe.provider.cancelCheckout(closed.ref)).toMatchObject({ state: "expired", url: null });
    expect(await stripe.provider.cancelCheckout(closed.ref)).toMatchObject({ state: "expired" });
    const late = await open();
    stripe.double.bank.timeIsUp(late.ref);
    expect(await newsOf("checkout.session.expired")).toMatchObject([
      { kind: "expired", checkoutRef: closed.ref },
      { kind: "expired", checkoutRef: late.ref },
    ]);
    const { ref } = await paid();
    expect((await stripe.provider.cancelCheckout(ref)).state).toBe("paid");
  });

  test("adds tax where tax is switched on, and reports its amount", async () => {
    const taxed = await createStripeFixture(database.mongo, { tax: true });
    const { ref } = await taxed.provider.createCheckout(wanted());
    taxed.double.bank.pay(ref);
    const { payment } = await taxed.provider.fetchCheckout(ref);
    expect(payment).toMatchObject({ amountCents: 2261, taxCents: 361 });
    const sent = new URLSearchParams(
      taxed.double.requests.find(({ path, method }) => method === "POST" && path === "/v1/checkout/sessions")
        ?.body,
    );
    expect(sent.get("automatic_tax[enabled]")).toBe("true");
    expect(sent.get("customer_update[address]")).toBe("auto");
    expect(sent.get("line_items[0][price_data][tax_behavior]")).toBe("exclusive");
    await taxed.close();
  });
});

describe("a payment", () => {
  test("is refunded once, however often it is requested", async () => {
    const { payment } = await paid();
    const refund = { idempotencyKey: "give-back", paymentRef: payment?.ref ?? "" };
    await stripe.provider.refund(refund);
    await stripe.provider.refund(refund);
    await stripe.provider.refund({ ...refund, idempotencyKey: "another day" });
    expect(await newsOf("charge.refunded")).toEqual([
      { kind: "refunded", paymentRef: payment?.ref, amountCents: 1900, isWhole: true },
    ]);
  });

  test("a payment that is refunded in part reports the refunded amount", async () => {
    const { payment } = await paid();
    stripe.double.bank.refundByHand(payment?.ref ?? "", 500);
    stripe.double.bank.refundByHand(payment?.ref ?? "", 400);
    expect(await newsOf("charge.refunded")).toMatchObject([
      { amountCents: 500, isWhole: false },
      { amountCents: 900, isWhole: false },
    ]);
  });

  test("reports disputes won and lost; an inquiry of the bank is no dispute", async () => {
    const { payment } = await paid();
    const paymentRef = payment?.ref ?? "";
    for (const [type, status, kind] of [
      ["created", "warning_needs_response", "other"],
      ["closed", "warning_closed", "other"],
      ["created", "needs_response", "dispute_opened"],
      ["updated", "under_review", "dispute_opened"],
      ["closed", "won", "dispute_won"],
      ["closed", "lost", "dispute_lost"],
    ] as const) {
      stripe.double.bank.dispute(paymentRef, type, status);
      const [news] = await newsOf(`charge.dispute.${type}`);
      expect(news).toMatchObject(kind === "other" ? { kind } : { kind, paymentRef });
    }
  });
});

describe("a subscription", () => {
  test("starts with its checkout and carries the local subscription id", async () => {
    const { ref } = await open({ every: "year", subscriptionId: "sub_ours" });
    stripe.double.bank.pay(ref);
    const { subscriptionRef, payment } = await stripe.provider.fetchCheckout(ref);
    expect(subscriptionRef).toMatch(/^sub_/);
    const from = stripe.clock.now();
    expect(payment).toMatchObject({
      ref: expect.stringMatching(/^pi_/),
      period: { from, until: new Date(from.getTime() + 365 * 24 * HOUR_MS) },
    });
    const [sent] = posts("/v1/checkout/sessions");
    expect(sent?.get("mode")).toBe("subscription");
    expect(sent?.get("line_items[0][price_data][recurring][interval]")).toBe("year");
    expect(sent?.get("subscription_data[metadata][subscription_id]")).toBe("sub_ours");
    const told = stripe.news();
    const kinds = await Promise.all(told.map(async (event) => (await stripe.read(event)).news.kind));
    expect(told.map(({ type }, i) => [type, kinds[i]])).toEqual([
      ["invoice.paid", "other"],
      ["checkout.session.completed", "paid"],
    ]);
  });

  test("is renewed, fails to renew, is paid late, and ends", async () => {
    const subscriptionRef = await subscribed();
    const facts = { subscriptionRef, subscriptionId: "sub_ours" };
    const { bank } = stripe.double;
    bank.renew(subscriptionRef);
    const [renewed] = await newsOf("invoice.paid").then((news) => news.slice(-1));
    expect(renewed).toMatchObject({ kind: "renewed", ...facts, payment: { amountCents: 1900 } });
    bank.isDeclining = true;
    bank.renew(subscriptionRef);
    const dueAt = new Date(bank.clock.now * 1000);
    const told = stripe.news();
    const read = async (type: string) => {
      const event = told.find((one) => one.type === type);
      return event && (await stripe.read(event)).news;
    };
    expect(await read("invoice.payment_failed")).toEqual({ kind: "renewal_failed", ...facts });
    expect(await read("customer.subscription.updated")).toEqual({
      kind: "subscription_changed",
      ...facts,
      paidUntil: dueAt,
      endsThen: false,
    });
    bank.payOverdue(subscriptionRef);
    expect(await newsOf("invoice.paid")).toMatchObject([
      { kind: "renewed", payment: { period: { from: dueAt } } },
    ]);
    // A late event reports the current state.
    expect(await read("invoice.payment_failed")).toMatchObject({ kind: "renewed" });
    bank.endNow(subscriptionRef);
    expect(await newsOf("customer.subscription.deleted")).toEqual([{ kind: "subscription_ended", ...facts }]);
    expect(await read("customer.subscription.updated")).toEqual({ kind: "subscription_ended", ...facts });
    stripe.syncClocks();
  });

  test("is cancelled at the period's end, resumed, and ended immediately; each repeat changes nothing", async () => {
    const ref = await subscribed();
    const cancel = (when: "period_end" | "now" | "resume", idempotencyKey: string) =>
      stripe.provider.cancelSubscription({ idempotencyKey, ref, when });
    const read = () => stripe.provider.readSubscription(ref);
    await cancel("period_end", "wish 1");
    const then = await read();
    expect(then).toMatchObject({ hasEnded: false, endsThen: true });
    await cancel("period_end", "wish 1");
    expect(await read()).toEqual(then);
    await cancel("resume", "wish 2");
    expect(await read()).toEqual({ ...then, endsThen: false });
    await cancel("now", "wish 3");
    const over = { ...then, hasEnded: true, endsThen: true, paidUntil: stripe.clock.now() };
    expect(await read()).toEqual(over);
    await cancel("now", "wish 3");
    await cancel("resume", "wish 4");
    expect(await read()).toEqual(over);
    expect(await stripe.provider.readSubscription("sub_unknown1")).toBeNull();
  });

  const change = (
    ref: string,
    {
      when,
      every = "month",
      cents = 2900,
    }: { when: "now" | "period_end"; every?: "month" | "year"; cents?: number },
  ) =>
    stripe.provider.changeSubscription({
      idempotencyKey: `change ${ref} ${when} ${every}`,
      ref,
      item: { name: "Pro", amountCents: cents },
      currency: "usd",
      every,
      when,
    });

  test("changes plan immediately with proration, once", async () => {
    const ref = await subscribed();
    stripe.news();
    await change(ref, { when: "now" });
    expect(await stripe.provider.readSubscription(ref)).toMatchObject({
      endsThen: false,
      price: { amountCents: 2900, every: "month" },
      nextPrice: null,
    });
    await change(ref, { when: "now" });
    expect(await newsOf("invoice.paid")).toMatchObject([
      { kind: "change_paid", subscriptionRef: ref, payment: { amountCents: 1000 }, priceCents: 2900 },
    ]);
    const [sent] = posts(`/v1/subscriptions/${ref}`);
    expect(sent?.get("proration_behavior")).toBe("always_invoice");
    expect(stripe.double.bank.subscription(ref).items.data[0].price.unit_amount).toBe(2900);
  });

  test("does not change plan when the bank declines", async () => {
    const ref = await subscribed();
    stripe.double.bank.isDeclining = true;
    await expect(change(ref, { when: "now" })).rejects.toMatchObject({ why: "declined", isFinal: true });
    expect(stripe.double.bank.subscription(ref).items.data[0].price.unit_amount).toBe(1900);
  });

  test("changes plan at the next period, also from month to year; the newest change wins", async () => {
    const ref = await subscribed();
    await change(ref, { when: "period_end", cents: 900 });
    const read = () => stripe.provider.readSubscription(ref);
    expect((await read())?.nextPrice).toEqual({ amountCents: 900, every: "month" });
    await change(ref, { when: "period_end", every: "year", cents: 9000 });
    await change(ref, { when: "period_end", every: "year", cents: 9000 });
    const schedule = stripe.double.bank.schedule(stripe.double.bank.subscription(ref).schedule);
    expect(schedule.phases).toMatchObject([
      { items: { 0: { quantity: "1" } } },
      { items: { 0: { price_data: { unit_amount: "9000" } } }, duration: { interval: "year" } },
    ]);
    expect(await read()).toMatchObject({
      price: { amountCents: 1900, every: "month" },
      nextPrice: { amountCents: 9000, every: "year" },
    });
    // A subscription that is ending has no scheduled change.
    await stripe.provider.cancelSubscription({ idempotencyKey: "w", ref, when: "period_end" });
    expect(stripe.double.bank.subscription(ref)).toMatchObject({
      schedule: null,
      cancel_at_period_end: true,
    });
  });

  test("has a billing portal for any account with a Stripe customer", async () => {
    await subscribed({ accountId: "acc_portal" });
    const portal = (accountId: string) =>
      stripe.provider.createPortal({ accountId, returnUrl: "http://localhost/account" });
    expect(await portal("acc_portal")).toMatch(/^https:\/\/billing/);
    expect(posts("/v1/billing_portal/sessions")[0]?.get("return_url")).toBe("http://localhost/account");
    expect(await portal("acc_nobody")).toBeNull();
  });
});

describe("events of Stripe", () => {
  const event = {
    id: "evt_x",
    object: "event",
    type: "plan.created",
    created: 1_780_000_000,
    data: { object: {} },
  };
  const read = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    stripe.provider.readEvent(Buffer.from(body), headers);

  test("are verified with the current secret and with the one before", async () => {
    for (const secret of WEBHOOK_SECRETS)
      expect(await read(signed(event, { at: stripe.clock.now(), secret }))).toMatchObject({
        id: "evt_x",
        news: { kind: "other" },
      });
  });

  test("are refused without a signature, with another secret, changed, or signed more than five minutes ago", async () => {
    const at = stripe.clock.now();
    const good = signed(event, { at });
    await expect(read({ ...good, headers: {} })).rejects.toThrow(BadSignature);
    await expect(read(signed(event, { at, secret: "whsec_of_somebody" }))).rejects.toThrow(BadSignature);
    await expect(read({ ...good, body: `${good.body} ` })).rejects.toThrow(BadSignature);
    await expect(read({ ...good, headers: { "stripe-signature": "t=x,v1=y" } })).rejects.toThrow(
      BadSignature,
    );
    await expect(read(signed(event, { at: new Date(at.getTime() - 301_000) }))).rejects.toThrow(BadSignature);
    await expect(read(signed(event, { at: new Date(at.getTime() - 300_000) }))).resolves.toBeDefined();
  });

  test("events of Stripe that are years old are accepted when Stripe signs them now", async () => {
    const old = { ...event, created: 1_400_000_000 };
    expect(await read(signed(old, { at: stripe.clock.now() }))).toMatchObject({
      at: new Date(1_400_000_000_000),
    });
  });

  test("about objects of other software in the same Stripe account are ignored", async () => {
    const session = { id: "cs_foreign", metadata: {}, client_reference_id: "ord_1" };
    for (const type of ["completed", "expired", "async_payment_failed"])
      expect(
        (
          await read(
            signed(
              { ...event, type: `checkout.session.${type}`, data: { object: session } },
              { at: stripe.clock.now() },
            ),
          )
        ).news.kind,
      ).toBe("other");
  });

  test("fail when Stripe cannot be queried, so that they are sent again", async () => {
    const { ref } = await open();
    stripe.double.bank.pay(ref);
    const [told] = stripe.news().filter(({ type }) => type === "checkout.session.completed");
    const failure = { status: 503, error: { message: "away", type: "api_error" } };
    stripe.double.failures.push(failure, failure);
    if (!told) throw new Error("there is no event");
    await expect(stripe.read(told)).rejects.toMatchObject({ why: "away", isFinal: false });
    expect((await stripe.read(told)).news.kind).toBe("paid");
  });
});

describe("a Stripe error", () => {
  const fail = async (...failures: StripeFixture["double"]["failures"]) => {
    stripe.double.failures.push(...failures);
    const error: unknown = await stripe.provider.fetchCheckout("cs_none").catch((thrown: unknown) => thrown);
    stripe.double.failures.length = 0;
    if (!(error instanceof PaymentProviderFailed)) throw error;
    return error;
  };
  const away = { status: 500, error: { message: "oh", type: "api_error" } };

  test("is unavailable, refused, or a configuration error", async () => {
    expect(await fail(away, away)).toMatchObject({ why: "away", isFinal: false });
    expect(await fail("closed", "closed")).toMatchObject({ why: "away" });
    expect(await fail({ status: 429, error: { message: "slow down", code: "rate_limit" } })).toMatchObject({
      why: "away",
    });
    expect(await fail()).toMatchObject({ why: "refused", isFinal: true });
    expect(await fail({ status: 401, error: { message: "Invalid API Key" } })).toMatchObject({
      why: "setup",
      isFinal: false,
    });
    expect(await fail({ status: 403, error: { message: "not with this key" } })).toMatchObject({
      why: "setup",
    });
  });

  test("is retried once by the library", async () => {
    stripe.double.failures.push(away);
    const { ref } = await open();
    stripe.double.requests.length = 0;
    expect(await fail(away, away, away)).toMatchObject({ why: "away" });
    expect(stripe.double.requests).toHaveLength(2);
    expect((await stripe.provider.fetchCheckout(ref)).state).toBe("open");
  });

  test("names the wrong setting to the operator, and no key or address to others", async () => {
    await fail({ status: 401, error: { message: `Invalid API Key provided: ${SECRET_KEY}` } });
    await fail({
      status: 400,
      error: { message: "Invalid email address: ada@example.com", type: "invalid_request_error" },
    });
    const lines = stripe.logged.join("");
    expect(lines).toContain("ATELIER_STRIPE_SECRET_KEY");
    expect(lines).not.toContain(SECRET_KEY);
    expect(lines).not.toContain("ada@example.com");
  });
});

describe("the Stripe configuration", () => {
  const env = {
    ATELIER_PAYMENTS: "stripe",
    ATELIER_STRIPE_SECRET_KEY: SECRET_KEY,
    ATELIER_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRETS.join(", "),
  };
  const production = {
    ...env,
    NODE_ENV: "production",
    ATELIER_SECRET: "kJ8#vQz2!mXw9@Lr5^Tn3&Yb7*Hc4(Df",
    ATELIER_BASE_URL: "https://atelier.test",
    MONGODB_URI: "mongodb://127.0.0.1/",
  };

  test("selects the provider, with a list of secrets", async () => {
    const config = loadConfig(env);
    expect(config.stripeWebhookSecrets).toEqual(WEBHOOK_SECRETS);
    const payments = await createPayments(config, {
      mongo: database.mongo,
      clock: stripe.clock,
      secrets: [""],
      baseUrl: "",
      log: createLog("silent", "test"),
      metrics: createMetrics(),
    });
    expect(payments.current?.name).toBe("stripe");
    expect(payments.demo).toBeUndefined();
  });

  test("reports missing and wrong settings without quoting a key", () => {
    const refusal = (fields: Record<string, string>) => {
      try {
        loadConfig({ ...env, ...fields });
        return "";
      } catch (error) {
        return String(error);
      }
    };
    expect(refusal({ ATELIER_STRIPE_SECRET_KEY: "" })).toContain(
      "ATELIER_STRIPE_SECRET_KEY: required with ATELIER_PAYMENTS=stripe",
    );
    expect(refusal({ ATELIER_STRIPE_WEBHOOK_SECRET: "" })).toContain(
      "ATELIER_STRIPE_WEBHOOK_SECRET: required with ATELIER_PAYMENTS=stripe",
    );
    expect(refusal({ ATELIER_STRIPE_SECRET_KEY: "pk_live_publishable" })).toMatch(
      /secret or a restricted key/,
    );
    expect(refusal({ ATELIER_STRIPE_SECRET_KEY: "pk_live_publishable" })).not.toContain("publishable");
    expect(refusal({ ATELIER_STRIPE_WEBHOOK_SECRET: "whsec_a,nonsense" })).toMatch(/signing secrets/);
    expect(refusal({ ATELIER_STRIPE_API_BASE: "http://stripe.example.com" })).toMatch(/must be https/);
    expect(refusal({ ATELIER_STRIPE_API_BASE: "http://127.0.0.1:12111" })).toBe("");
  });

  test("refuses test mode in production", () => {
    expect(() => loadConfig(production)).toThrow(
      /ATELIER_STRIPE_SECRET_KEY: refused in production: it is of test mode/,
    );
    expect(() => loadConfig({ ...production, ATELIER_ALLOW_INSECURE: "stripe_test_mode" })).not.toThrow();
    expect(() => loadConfig({ ...production, ATELIER_STRIPE_SECRET_KEY: "rk_live_1234" })).not.toThrow();
  });

  test("is logged without its secrets", () => {
    const lines: string[] = [];
    const log = createLog("info", "test", { write: (line: string) => void lines.push(line) });
    const config = loadConfig(env);
    log.info({ config }, "started");
    log.info(config, "started");
    expect(lines.join("")).not.toMatch(/sk_test|whsec_/);
  });
});
