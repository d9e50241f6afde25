// An order has one open checkout under parallel presses and crashes, with the demo provider and the real Stripe adapter.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createDemoProvider, type DemoProvider } from "../../../../core/adapters/payments/demo.ts";
import type { PaymentProvider } from "../../../../core/adapters/payments/provider.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { liveCheckouts } from "../../../../core/shop/orders/checkout-rules.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundPayment } from "../../../../core/shop/orders/refunds.ts";
import { REASONS } from "../../../../core/shop/orders/rules.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { createStripeFixture } from "../../../support/stripe/world.ts";
import { ICONS, mailKinds, newBuyer, payingWith, place, setProduct, useShop } from "./shop-fixture.ts";

const PRESSES = 50;
const HISTORIES = 25;
const PRICES = [1900, 2500, 3100];
const MINUTE_MS = 60_000;
type Step = { what: string; price: number; diesAt: number | undefined; waitMs: number };
const press = (price: number, diesAt?: number): Step => ({ what: "press", price, diesAt, waitMs: 0 });
/** The process dies after the provider's work and before the response is stored. */
const DIED_BEFORE_STORING: Step[][] = [
  [press(0, 2), press(1)],
  [press(0), press(1, 2), press(2)],
  [press(0), press(1, 4), press(2)],
  [press(0, 2), { ...press(0), what: "cancel" }],
];
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock("2026-05-01T12:00:00.000Z");
let demo: DemoProvider;

const world = useShop({ clock });
const stripe = sharedByTests(() => createStripeFixture(world.app.mongo, { clock }));
beforeAll(async () => {
  const { mongo, secrets, baseUrl } = world.app;
  demo = createDemoProvider({ mongo, clock, secrets, baseUrl });
});

const setPrice = (cents: number) =>
  setProduct(world.app, {
    slug: "icons",
    name: "Icons",
    price_regular_cents: cents,
    client_price_cents: 9900,
  });

const withProvider = (provider: PaymentProvider) => payingWith(world.app, provider);

/** The same provider in a process that dies at step `at`: before a call, or after it and before the response is stored. */
function dyingAt(provider: PaymentProvider, at: number): PaymentProvider {
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps >= at) throw new Error("killed");
  };
  const dying = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      step();
      const answer = await call(...args);
      step();
      return answer;
    };
  };
  return {
    ...provider,
    createCheckout: dying(provider.createCheckout),
    fetchCheckout: dying(provider.fetchCheckout),
    cancelCheckout: dying(provider.cancelCheckout),
  };
}

const openAt = async (provider: PaymentProvider, { _id }: OrderDoc) =>
  (await provider.listOpenCheckouts()).filter(({ orderId }) => orderId === _id).map(({ ref }) => ref);

const now = (order: OrderDoc) => findAnyOrder(world.app, order._id);

async function newOrder(app: App, cents = 1900): Promise<{ order: OrderDoc; accountId: string }> {
  await setPrice(cents);
  const { accountId } = await newBuyer(app);
  return { order: await place(app, accountId, ICONS, cents), accountId };
}

describe.each(["demo", "stripe"] as const)("with %s", (name) => {
  const providerOf = () => (name === "demo" ? demo : stripe.provider);

  test("[SHOP-27] fifty parallel presses open one checkout, and all lead to it", async () => {
    const app = withProvider(providerOf());
    const { order, accountId } = await newOrder(app);
    const press = () => startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    const pages = await Promise.all(Array.from({ length: PRESSES }, press));
    const open = await openAt(providerOf(), order);
    expect(open).toHaveLength(1);
    expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
    expect((await now(order)).provider_ref).toBe(open[0]);
  });

  test("overlapping presses open one checkout", async () => {
    const app = withProvider(providerOf());
    const { order, accountId } = await newOrder(app);
    const presses: Promise<unknown>[] = [];
    for (let number = 0; number < PRESSES; number++) {
      presses.push(startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 }));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    }
    await Promise.all(presses);
    expect(await openAt(providerOf(), order)).toHaveLength(1);
  });

  test("[SHOP-27] an earlier checkout is closed before one with a new price is opened", async () => {
    const provider = providerOf();
    const said: string[] = [];
    const app = withProvider({
      ...provider,
      createCheckout: async (wanted) => {
        said.push(`create ${(await openAt(provider, order)).length}`);
        return provider.createCheckout(wanted);
      },
    });
    const { order, accountId } = await newOrder(app);
    await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    const earlier = (await now(order)).provider_ref ?? "";
    await setPrice(2500);
    await startCheckout(app, accountId, { orderId: order._id, expectedCents: 2500 });
    expect(said).toEqual(["create 0", "create 0"]);
    expect(await openAt(provider, order)).toEqual([(await now(order)).provider_ref]);
    expect((await provider.fetchCheckout(earlier)).state).not.toBe("open");
    expect((await now(order)).checkouts_made).toMatchObject([
      { ref: earlier, amount_cents: 1900, state: "closed" },
      { amount_cents: 2500, state: "open" },
    ]);
  });

  test("the provider's event about an intentionally closed checkout does not end the order", async () => {
    const provider = providerOf();
    const app = withProvider(provider);
    const { order, accountId } = await newOrder(app);
    await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    const checkoutRef = (await now(order)).provider_ref ?? "";
    await setPrice(2500);
    const news = { kind: "expired", checkoutRef, orderId: order._id, accountId } as const;
    const told = {
      ...provider,
      cancelCheckout: async (ref: string) => {
        const closed = await provider.cancelCheckout(ref);
        await takeEvent(app, provider.name, { id: `evt_${ref}`, at: clock.now(), news });
        return closed;
      },
    };
    await startCheckout(withProvider(told), accountId, { orderId: order._id, expectedCents: 2500 });
    expect((await now(order)).state).toBe("placed");
    expect(await openAt(provider, order)).toHaveLength(1);
  });

  test("cancelling during fifty presses leaves nothing that can be paid", async () => {
    const app = withProvider(providerOf());
    const { order, accountId } = await newOrder(app);
    const press = () => startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    const all = Array.from({ length: PRESSES }, (_, number) =>
      number === PRESSES / 2 ? cancelOrder(app, accountId, order._id) : press(),
    );
    await Promise.allSettled(all);
    expect((await now(order)).state).toBe("cancelled");
    expect(await openAt(providerOf(), order)).toEqual([]);
  });

  test("[SHOP-27] a process that dies at any step leaves at most one checkout, which the order closes or finds again", async () => {
    const step = fc.record({
      what: fc.constantFrom("press", "press", "press", "cancel", "look"),
      price: fc.nat(PRICES.length - 1),
      diesAt: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      waitMs: fc.constantFrom(0, 2 * MINUTE_MS, DAY_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const provider = providerOf();
        const { order, accountId } = await newOrder(withProvider(provider));
        for (const { what, price, diesAt, waitMs } of steps) {
          const cents = PRICES[price] ?? 0;
          await setPrice(cents);
          const app = withProvider(diesAt === undefined ? provider : dyingAt(provider, diesAt));
          const done =
            what === "press"
              ? startCheckout(app, accountId, { orderId: order._id, expectedCents: cents })
              : what === "cancel"
                ? cancelOrder(app, accountId, order._id)
                : checkOpenOrder(app);
          await done.catch(() => undefined);
          expect((await openAt(provider, order)).length).toBeLessThanOrEqual(1);
          clock.advance(waitMs);
          stripe.syncClocks();
        }
        // A surviving process finds the remains of the others.
        clock.advance(2 * DAY_MS);
        while (await checkOpenOrder(withProvider(provider)));
        const after = await now(order);
        expect(["expired", "cancelled"]).toContain(after.state);
        expect(liveCheckouts(after)).toEqual([]);
        expect(await openAt(provider, order)).toEqual([]);
      }),
      { numRuns: HISTORIES, examples: DIED_BEFORE_STORING.map((steps) => [steps]) },
    );
  });

  test("a checkout whose reference was lost is found again by the worker, and paid", async () => {
    const provider = providerOf();
    const { order, accountId } = await newOrder(withProvider(provider));
    const dying = withProvider(dyingAt(provider, 2));
    await expect(
      startCheckout(dying, accountId, { orderId: order._id, expectedCents: 1900 }),
    ).rejects.toThrow("killed");
    expect((await now(order)).provider_ref).toBeNull();
    clock.advance(MINUTE_MS);
    while (await checkOpenOrder(withProvider(provider)));
    expect(await openAt(provider, order)).toEqual([(await now(order)).provider_ref]);
  });

  test("[SHOP-27] a second payment is refunded automatically, and the order shows it", async () => {
    const provider = providerOf();
    const app = withProvider(provider);
    const { order, accountId } = await newOrder(app);
    const { order: gone } = await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    const paid = (ref: string) => ({
      kind: "paid" as const,
      checkoutRef: gone.provider_ref ?? "",
      orderId: order._id,
      accountId,
      subscriptionRef: null,
      payment: { ref, amountCents: 1900, taxCents: 0, currency: "usd", at: clock.now() },
    });
    const tell = (id: string) =>
      takeEvent(app, provider.name, { id, at: clock.now(), news: paid(`pay_${id}_${order._id}`) });
    expect((await tell(`first_${name}`)).what).toBe("fulfilled");
    expect((await tell(`second_${name}`)).what).toBe("given_back");
    while (await refundPayment(app));
    const payments = await app.mongo.db.collection("payments").find({ order_id: order._id }).toArray();
    expect(Object.fromEntries(payments.map(({ ref, state }) => [String(ref).split("_")[1], state]))).toEqual({
      first: "kept",
      second: "given_back",
    });
    expect((await mailKinds(app, accountId)).toSorted()).toEqual([
      "order.payment_given_back",
      "order.receipt",
    ]);
    const { state, events } = await now(order);
    expect(state).toBe("fulfilled");
    expect(events.map(({ note }) => note)).toContain(`A payment goes back: ${REASONS.secondPayment}`);
  });
});

test("an earlier release's order has its checkout recorded by the reference alone", async () => {
  const app = withProvider(demo);
  const { order, accountId } = await newOrder(app);
  const { order: gone } = await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
  await app.mongo.db
    .collection("orders")
    .updateOne({ _id: order._id as never }, { $unset: { checkouts_made: "" } });
  const again = await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
  expect(again.order.provider_ref).toBe(gone.provider_ref);
  await cancelOrder(app, accountId, order._id);
  expect(await openAt(demo, order)).toEqual([]);
  expect((await now(order)).checkouts_made).toMatchObject([{ ref: gone.provider_ref, state: "closed" }]);
});

test("the audit of all these orders is clean", async () => {
  expect(await auditFindings(withProvider(demo))).toEqual([]);
});
