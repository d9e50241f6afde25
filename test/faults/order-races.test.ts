// Placing, paying, declining, cancelling, refunding and fulfilling race for twenty orders at a time, while the price changes and core is
// killed with -9: each order was paid at most once or refunded, and nothing stays payable.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { demoHeaders } from "../../core/adapters/payments/rules.ts";
import type { App } from "../../core/kernel/app.ts";
import { setPack } from "../../core/shop/orders/packs.ts";
import { placeOrder } from "../../core/shop/orders/place-order.ts";
import { checkOpenOrder } from "../../core/shop/orders/reconcile.ts";
import { refundPayment } from "../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../core/shop/orders/store.ts";
import { takeEvent } from "../../core/shop/orders/take-event.ts";
import { systemClock } from "../../runtime/clock.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { COMPILED } from "../support/child-env.ts";
import { createFakeClock } from "../support/clock.ts";
import { createStripeFixture, SECRET_KEY, signed, WEBHOOK_SECRETS } from "../support/stripe/world.ts";

const ORDERS = 20;
const PRICES = [500, 600, 700];
/** The amount of random work in a life, on any machine; at least two rounds, so that payments of one are refunded in the next. */
const ACTS = { least: 300, most: 500 };
const LIFE_BOUND_MS = 60_000;
const PAY_EVERY_MS = 6;
/** The first press and every n-th after it: by chance a short run may have none. */
const DECLINED_EVERY = 5;
const PRICE_SHARE = 0.05;
const LOST_SHARE = 0.3;

/** The payments that the test has seen. */
type BankOfTest = {
  readonly env: Record<string, string>;
  /** Presses Pay on this page. */
  pay(ref: string, accountId: string): Promise<void>;
  decline(ref: string, accountId: string): Promise<void>;
  /** Events that are not sent yet; some are lost, and some repeated. */
  tellSome(): Promise<void>;
  /** Each order's payments and refunds. */
  books(): Promise<Map<string, { paid: number; refunded: number }>>;
  readonly app: App;
  close(): Promise<void>;
};

async function openDemo(app: App): Promise<BankOfTest> {
  const { demo } = app.payments;
  if (!demo) throw new Error("this is about the demo provider");
  const press = (action: "pay" | "decline") => async (ref: string, accountId: string) =>
    void (await demo.press({ ref, accountId, action, delivery: "once" }));
  const told = new Set<string>();
  return {
    app,
    env: {},
    pay: press("pay"),
    decline: press("decline"),
    tellSome: async () => {
      const events = await app.mongo.db
        .collection<{ _id: string; body: string }>("demo_events")
        .find()
        .toArray();
      for (const { _id, body } of events.filter((event) => !told.has(event._id))) {
        told.add(_id);
        const headers = demoHeaders(body, app.secrets, new Date());
        await tell(app, Buffer.from(body), headers);
      }
    },
    books: async () => {
      const all = await app.mongo.db
        .collection<{ orderId: string; state: string; refunded: boolean }>("demo_checkouts")
        .find({ state: "paid" })
        .toArray();
      return sumUp(all.map(({ orderId, refunded }) => ({ orderId, isRefunded: refunded })));
    },
    close: async () => {},
  };
}

async function openStripe(app: App): Promise<BankOfTest> {
  const clock = { ...createFakeClock(), now: systemClock.now };
  const world = await createStripeFixture(app.mongo, { clock });
  const { bank, baseUrl } = world.double;
  const stripeApp: App = {
    ...app,
    payments: { known: new Map([["stripe", world.provider]]), current: world.provider, demo: undefined },
  };
  const paid: { orderId: string; intent: string }[] = [];
  return {
    app: stripeApp,
    env: {
      ATELIER_PAYMENTS: "stripe",
      ATELIER_STRIPE_SECRET_KEY: SECRET_KEY,
      ATELIER_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRETS[0] ?? "",
      ATELIER_STRIPE_API_BASE: baseUrl,
    },
    pay: async (ref) => bank.pay(ref),
    decline: async (ref) => {
      bank.payLater(ref);
      bank.bankDecides(ref, false);
    },
    tellSome: async () => {
      world.syncClocks();
      for (const event of world.news()) {
        const { body, headers } = signed(event, { at: new Date() });
        await tell(stripeApp, Buffer.from(body), headers);
      }
    },
    books: async () => {
      for (const { type, data } of bank.events) {
        const session = data.object as {
          metadata: { order_id: string };
          payment_intent: string;
          payment_status: string;
        };
        if (type === "checkout.session.completed" && session.payment_status === "paid")
          paid.push({ orderId: session.metadata.order_id, intent: session.payment_intent });
      }
      const refunds = bank.events
        .filter(({ type }) => type === "charge.refunded")
        .map(({ data }) => (data.object as { payment_intent: string }).payment_intent);
      return sumUp(paid.map(({ orderId, intent }) => ({ orderId, isRefunded: refunds.includes(intent) })));
    },
    close: world.close,
  };
}

/** A third is lost, a third is sent once and a third twice. */
async function tell(app: App, body: Buffer, headers: Record<string, string>): Promise<void> {
  const { current } = app.payments;
  for (let times = Math.random() < LOST_SHARE ? 0 : Math.random() < 0.5 ? 1 : 2; times > 0; times--) {
    const event = await current?.readEvent(body, headers);
    if (current && event) await takeEvent(app, current.name, event);
  }
}

function sumUp(payments: readonly { orderId: string; isRefunded: boolean }[]) {
  const sums = new Map<string, { paid: number; refunded: number }>();
  for (const { orderId, isRefunded } of payments) {
    const { paid, refunded } = sums.get(orderId) ?? { paid: 0, refunded: 0 };
    sums.set(orderId, { paid: paid + 1, refunded: refunded + Number(isRefunded) });
  }
  return sums;
}

test.each([
  ["the demo provider", openDemo],
  ["Stripe", openStripe],
] as const)(
  "[SHOP-02] [SHOP-27] with %s each order was paid at most once or was refunded, and the audit is clean",
  { timeout: 900_000 },
  async (_name, open) => {
    const { app: own, database, close } = await createTestApp();
    const bank = await open(own);
    const { app } = bank;
    const { current } = app.payments;
    const dataDir = mkdtempSync(join(tmpdir(), "atelier-test-races-"));
    const orders: string[] = [];
    while (orders.length < ORDERS) orders.push(await placeOne());
    const file = fileURLToPath(new URL("suite/order-race-process.ts", import.meta.url));
    const env = {
      ...COMPILED,
      MONGODB_URI: inject("mongodUri"),
      ATELIER_MONGO_DATABASE: database.name,
      ATELIER_DATA_DIR: dataDir,
      ATELIER_LOG_LEVEL: "silent",
      ...bank.env,
    };
    let mostOpen = 0;
    let pressed = 0;
    for (let life = 0; life < inject("orderKills"); life++) {
      const child = fork(file, orders, { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
      const ended = once(child, "exit");
      await Promise.race([once(child, "message"), ended]);
      let acts = ACTS.least + Math.random() * (ACTS.most - ACTS.least);
      child.on("message", () => (acts -= 1));
      const bound = performance.now() + LIFE_BOUND_MS;
      while (acts > 0 && child.exitCode === null && performance.now() < bound) await pressSome();
      child.kill("SIGKILL");
      // Nothing else has ended it.
      expect(await ended).toEqual([null, "SIGKILL"]);
    }
    await settle();
    const books = await bank.books();
    const after = await app.mongo.db.collection<OrderDoc>("orders").find().toArray();
    const count = (wanted: string) => after.filter(({ state }) => state === wanted).length;
    const sum = (what: "paid" | "refunded") => [...books.values()].reduce((all, each) => all + each[what], 0);
    process.stdout.write(
      `${inject("orderKills")} kills, ${after.length} orders, ${pressed} presses on open pages, ${after.reduce((all, { checkouts }) => all + checkouts, 0)} checkouts, ` +
        `${sum("paid")} payments, ${sum("refunded")} refunded; fulfilled ${count("fulfilled")}, refunded ${count("refunded")}, ` +
        `cancelled ${count("cancelled")}, failed ${count("failed")}, expired ${count("expired")}\n`,
    );
    // Lives that are killed early place no further orders.
    expect(after.length).toBeGreaterThanOrEqual(ORDERS);
    expect(after.filter(({ state }) => state === "placed" || state === "paid")).toEqual([]);
    for (const { _id, state } of after) {
      const { paid, refunded } = books.get(_id) ?? { paid: 0, refunded: 0 };
      expect([_id, state, paid - refunded]).toEqual([_id, state, state === "fulfilled" ? 1 : 0]);
    }
    expect(mostOpen).toBe(1);
    expect(pressed).toBeGreaterThan(0);
    expect(await current?.listOpenCheckouts()).toEqual([]);
    expect(await auditFindings(app)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
    await bank.close();
    await close();

    async function placeOne(): Promise<string> {
      const { accountId } = await createCustomer(app, { credits: 0 });
      const wanted = { kind: "credits", pack: "small" } as const;
      return (await placeOrder(app, accountId, { idempotencyKey: "form", expectedCents: 500, wanted }))._id;
    }

    /** Buyers press on open pages, prices change, and the bank sends events. */
    async function pressSome(): Promise<void> {
      await sleep(Math.random() * PAY_EVERY_MS);
      const pages = (await current?.listOpenCheckouts()) ?? [];
      const perOrder = new Map<string, number>();
      for (const { orderId } of pages) perOrder.set(orderId, (perOrder.get(orderId) ?? 0) + 1);
      mostOpen = Math.max(mostOpen, ...perOrder.values());
      const page = pages[Math.floor(Math.random() * pages.length)];
      if (page) {
        pressed += 1;
        const order = await app.mongo.db.collection<OrderDoc>("orders").findOne({ _id: page.orderId });
        const press = pressed % DECLINED_EVERY === 1 ? bank.decline : bank.pay;
        // It may have been closed since it was listed.
        await press(page.ref, order?.account_id ?? "").catch(() => undefined);
      }
      const price_cents = PRICES[Math.floor(Math.random() * PRICES.length)] ?? 500;
      if (Math.random() < PRICE_SHARE)
        await setPack(app, { _id: "small", credits: 500, price_cents, active: true });
      await bank.tellSome();
    }

    /** A worker's steps once it is back, a day later. */
    async function settle(): Promise<void> {
      const { db } = app.mongo;
      const long = new Date(1);
      await db.collection("orders").updateMany({ state: "placed" }, { $set: { expires_at: long } });
      await db
        .collection("orders")
        .updateMany({ "work.due_at": { $ne: null } }, { $set: { "work.due_at": long } });
      while (await checkOpenOrder(app));
      await db
        .collection("payments")
        .updateMany({ state: "to_give_back" }, { $set: { "work.due_at": long } });
      while (await refundPayment(app));
    }
  },
);
