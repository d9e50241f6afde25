// A shop on its own database: products, accounts, and a provider that the test controls.
import {
  type Checkout,
  type NewCheckout,
  type Payment,
  type PaymentEventBody,
  type PaymentProvider,
  PaymentProviderFailed,
  type PaymentProviderFailure,
  type ProviderSubscription,
} from "../../../../core/adapters/payments/provider.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { importProducts } from "../../../../core/shop/catalog/import-products.ts";
import { setMembership } from "../../../../core/shop/memberships/change-membership.ts";
import { startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { placeOrder } from "../../../../core/shop/orders/place-order.ts";
import type { WantedItem } from "../../../../core/shop/orders/quote.ts";
import { refundPayment } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import { changeSubscription } from "../../../../core/shop/subscriptions/change.ts";
import { findSubscriptions, type SubscriptionDoc } from "../../../../core/shop/subscriptions/store.ts";
import { createCustomer, createTestApp, type TestApp, type TestAppOptions } from "../../../support/app.ts";
import { sharedByTests } from "../../../support/shared.ts";

export const ICONS: WantedItem = { kind: "product", slug: "icons", licence: "standard" };
export const ICONS_FOR_CLIENTS: WantedItem = { ...ICONS, licence: "client" };
export const FREE: WantedItem = { kind: "product", slug: "free-icons", licence: "standard" };
export const PLUS: WantedItem = { kind: "product", slug: "plus-icons", licence: "standard" };
export const PRO: WantedItem = { kind: "plan", plan: "pro" };
export const STUDIO: WantedItem = { kind: "plan", plan: "studio" };
export const PLUS_TIER: WantedItem = { kind: "membership", tier: "plus", interval: "month" };
export const SMALL_PACK: WantedItem = { kind: "credits", pack: "small" };

export type ScriptedProvider = PaymentProvider & {
  readonly made: NewCheckout[];
  /** The results of fetchCheckout and cancelCheckout for a checkout; open until it is set. */
  readonly checkouts: Map<string, Checkout>;
  readonly refunds: string[];
  /** The subscription requests that it received, in order. */
  readonly told: object[];
  /** Its subscriptions; an unknown one is running. */
  readonly subscriptions: Map<string, ProviderSubscription | null>;
  /** Refuses the next change in this way. */
  refusal: PaymentProviderFailure | undefined;
  /** Every call fails while it is true. */
  isAway: boolean;
  /** Until when the next change is paid. */
  paidUntil: Date;
};

/** Checkouts for which the provider has sent a paid or ended event. */
const ended = new Set<string>();

/** Returns the same checkout for the same key. */
export function createScriptedPayments(): ScriptedProvider {
  const byKey = new Map<string, Checkout>();
  const checkouts = new Map<string, Checkout>();
  const made: NewCheckout[] = [];
  const refunds: string[] = [];
  const check = () => {
    if (provider.isAway) throw new PaymentProviderFailed("away");
  };
  const find = (ref: string): Checkout => {
    check();
    const found = checkouts.get(ref);
    if (!found) throw new PaymentProviderFailed("no such checkout", { isFinal: true });
    return found;
  };
  const told: object[] = [];
  const subscriptions = new Map<string, ProviderSubscription | null>();
  const read = (ref: string): ProviderSubscription | null => {
    const price = { amountCents: 0, every: "month" };
    const { paidUntil } = provider;
    const found = subscriptions.get(ref);
    return found === undefined
      ? { hasEnded: false, endsThen: false, paidUntil, price, nextPrice: null }
      : found;
  };
  const write = (ref: string, change: Partial<ProviderSubscription>) => {
    const before = read(ref);
    if (!before || before.hasEnded)
      throw new PaymentProviderFailed("there is none that goes on", { isFinal: true });
    subscriptions.set(ref, { ...before, ...change });
  };
  const never = () => Promise.reject(new PaymentProviderFailed("none", { isFinal: true }));
  const provider: ScriptedProvider = {
    name: "scripted",
    made,
    checkouts,
    refunds,
    told,
    subscriptions,
    refusal: undefined,
    isAway: false,
    paidUntil: new Date(0),
    createCheckout: async (wanted) => {
      check();
      const known = byKey.get(wanted.idempotencyKey);
      if (known) return known;
      made.push(wanted);
      const ref = `co_${wanted.orderId}_${made.length}`;
      const url = `https://pay.test/${ref}`;
      const checkout: Checkout = { ref, state: "open", url, payment: null, subscriptionRef: null };
      byKey.set(wanted.idempotencyKey, checkout);
      checkouts.set(ref, checkout);
      return checkout;
    },
    fetchCheckout: async (ref) => find(ref),
    cancelCheckout: async (ref) => {
      const found = find(ref);
      if (found.state !== "open") return found;
      const cancelled: Checkout = { ...found, state: "cancelled", url: null };
      checkouts.set(ref, cancelled);
      return cancelled;
    },
    listOpenCheckouts: async () => {
      check();
      return [...checkouts.values()]
        .filter(({ ref, state }) => state === "open" && !ended.has(ref))
        .map(({ ref }) => ({ ref, orderId: ref.replace(/^co_(.*)_\d+$/, "$1") }));
    },
    refund: async ({ paymentRef }) => {
      check();
      if (!refunds.includes(paymentRef)) refunds.push(paymentRef);
    },
    createPortal: async () => null,
    readSubscription: async (ref) => {
      check();
      return read(ref);
    },
    cancelSubscription: async ({ idempotencyKey: _key, ...wanted }) => {
      check();
      const { ref, when } = wanted;
      write(ref, when === "now" ? { hasEnded: true } : { endsThen: when === "period_end", nextPrice: null });
      told.push(wanted);
    },
    changeSubscription: async ({ idempotencyKey: _key, ...wanted }) => {
      check();
      const { refusal: why } = provider;
      provider.refusal = undefined;
      if (why) throw new PaymentProviderFailed("no", { why });
      const { ref, item, every, when } = wanted;
      const price = { amountCents: item.amountCents, every };
      if (when === "now") write(ref, { price, nextPrice: null, paidUntil: provider.paidUntil });
      else write(ref, { nextPrice: price });
      told.push(wanted);
    },
    readEvent: never,
  };
  return provider;
}

export type ShopFixture = TestApp & { provider: ScriptedProvider };

/** The app with this payment provider alone. */
export const payingWith = <T extends App>(app: T, provider: PaymentProvider): T => ({
  ...app,
  payments: { known: new Map([[provider.name, provider]]), current: provider, demo: undefined },
});

export const takingNoPayments = <T extends App>(app: T): T => ({
  ...app,
  payments: { known: new Map(), current: undefined, demo: undefined },
});

export async function createShopFixture(options: TestAppOptions = {}): Promise<ShopFixture> {
  const world = await createTestApp(options);
  const provider = createScriptedPayments();
  const app = payingWith(world.app, provider);
  await setProduct(app, {
    slug: "icons",
    name: "Icons",
    price_regular_cents: 1900,
    client_price_cents: 9900,
  });
  await setProduct(app, { slug: "free-icons", name: "Free Icons", price_regular_cents: 0 });
  await setProduct(app, {
    slug: "plus-icons",
    name: "Plus Icons",
    price_regular_cents: 900,
    plus_only: true,
  });
  return { ...world, app, provider };
}

/** One for all tests of the file or block. */
export function useShop(options?: TestAppOptions): ShopFixture {
  return sharedByTests(() => createShopFixture(options));
}

export async function setProduct(app: App, row: Record<string, unknown>): Promise<void> {
  const json = JSON.stringify({ status: "published", ...row });
  const { findings } = await importProducts(app, {
    rows: [{ line: 1, json }],
    dryRun: false,
    createMissing: false,
  });
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
}

export async function joinPlus(app: App, accountId: string): Promise<void> {
  const until = new Date(app.clock.now().getTime() + 365 * 24 * 3_600_000);
  await setMembership(app, accountId, { tier: "plus", until });
}

export async function newBuyer(app: App): Promise<{ accountId: string; email: string }> {
  const { accountId } = await createCustomer(app, { credits: 0 });
  return { accountId, email: (await getAccount(app, accountId)).email };
}

let people = 0;

/** A new account without a key, its credits those of the plan. */
export async function openPerson(app: App, plan = "free"): Promise<{ accountId: string; email: string }> {
  people += 1;
  const email = `shop-person-${people}-${app.newId("x").toLowerCase()}@example.com`;
  return { accountId: (await openAccount(app, { email, name: "Person", plan }))._id, email };
}

export async function subscriptionOf(app: App, accountId: string): Promise<SubscriptionDoc> {
  const [found] = await findSubscriptions(app.mongo.db, accountId);
  if (!found) throw new Error("no subscription");
  return found;
}

/** A change of the account's monthly plan. */
export const changePlan = (app: App, accountId: string, what: string, expectedCents: number) =>
  changeSubscription(app, accountId, { kind: "plan", what, interval: "month", expectedCents });

/** The kinds of an account's mails, oldest first. */
export async function mailKinds(app: App, accountId: string): Promise<unknown[]> {
  const mails = app.mongo.db.collection("mails").find({ account_id: accountId });
  return (await mails.sort({ created_at: 1, _id: 1 }).toArray()).map(({ kind }): unknown => kind);
}

let forms = 0;

/** Uses a new form unless a key is given. */
export async function place(
  app: App,
  accountId: string,
  wanted: WantedItem,
  expectedCents: number,
  key?: string,
): Promise<OrderDoc> {
  forms += 1;
  return placeOrder(app, accountId, { idempotencyKey: key ?? `form ${forms}`, expectedCents, wanted });
}

/** Places an order and opens its checkout. */
export async function placeAndGo(
  app: App,
  accountId: string,
  wanted: WantedItem,
  expectedCents: number,
): Promise<OrderDoc> {
  const { _id: orderId } = await place(app, accountId, wanted, expectedCents);
  return (await startCheckout(app, accountId, { orderId, expectedCents })).order;
}

/** Places an order, and pays it with an event. */
export async function buy(app: App, accountId: string, wanted = ICONS, cents = 1900): Promise<OrderDoc> {
  const order = await placeAndGo(app, accountId, wanted, cents);
  await tell(app, paidEvent(app, order));
  return findAnyOrder(app, order._id);
}

/** Paid at the provider, without an event. */
export function payThere({ app, provider }: ShopFixture, order: OrderDoc): void {
  const ref = order.provider_ref ?? "";
  const paid = {
    ref,
    state: "paid",
    url: null,
    payment: paymentOf(app, order),
    subscriptionRef: null,
  } as const;
  provider.checkouts.set(ref, paid);
}

/** Refunds every payment that is to be refunded. */
export async function refundAll(app: App): Promise<void> {
  while (await refundPayment(app));
}

let told = 0;

/** Applies a payment event, a new one unless an id is given. Returns its outcome. */
export async function tell(app: App, news: PaymentEventBody, id?: string): Promise<string> {
  told += 1;
  if ("checkoutRef" in news) ended.add(news.checkoutRef);
  return (await takeEvent(app, "scripted", { id: id ?? `evt_${told}`, at: app.clock.now(), news })).what;
}

export function paymentOf(app: App, order: OrderDoc, fields: Partial<Payment> = {}): Payment {
  return {
    ref: `pay_${order._id}`,
    amountCents: order.amount_cents,
    taxCents: 0,
    currency: "usd",
    at: app.clock.now(),
    ...fields,
  };
}

export function paidEvent(app: App, order: OrderDoc, fields: Partial<Payment> = {}): PaymentEventBody {
  return {
    kind: "paid",
    checkoutRef: order.provider_ref ?? "",
    orderId: order._id,
    accountId: order.account_id,
    payment: paymentOf(app, order, fields),
    subscriptionRef: null,
  };
}
