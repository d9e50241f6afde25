// The demo provider: it takes no money and needs no account anywhere. It stores what a person presses on its page, and its events take the
// same route as any other provider's. Production refuses it.
import { createHash } from "node:crypto";
import type { Clock } from "../../../runtime/clock.ts";
import type { Secrets } from "../../../runtime/keys/secret.ts";
import type { Mongo } from "../../base/mongo/client.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { sendDemoEvent } from "./deliver-demo.ts";
import {
  beginDemoSubscription,
  cancelDemoSubscription,
  changeDemoSubscription,
  endDemoPeriod,
  readDemoSubscription,
  refOf,
  renewDemoSubscription,
} from "./demo-subscriptions.ts";
import {
  type Checkout,
  type Payment,
  type PaymentEventBody,
  type PaymentProvider,
  PaymentProviderFailed,
} from "./provider.ts";
import { type DemoDelivery, readDemoEvent } from "./rules.ts";
import {
  type DemoCheckoutDoc,
  endCheckout,
  findCheckout,
  findOpenCheckouts,
  insertDemoSubscription,
  markRefunded,
  putCheckout,
} from "./store.ts";

export type DemoProvider = PaymentProvider & {
  /** What its page shows; undefined if this account has none. */
  findCheckout(ref: string, accountId: string): Promise<DemoCheckoutDoc | undefined>;
  /** The button that the buyer pressed. After the end, pressing has no effect. */
  press(pressed: {
    ref: string;
    accountId: string;
    /** pay_once: its renewals will be declined. */
    action: DemoAction;
    delivery: DemoDelivery;
  }): Promise<DemoCheckoutDoc | undefined>;
  /** Renews or ends one due subscription. Returns whether there was one. */
  renewDue(): Promise<boolean>;
  /** Ends the period of a subscription now. */
  endPeriod(ref: string, tx: TxContext): Promise<void>;
};

export const DEMO_ACTIONS = ["pay", "pay_once", "decline"] as const;
type DemoAction = (typeof DEMO_ACTIONS)[number];

export type DemoOptions = { mongo: Mongo; clock: Clock; secrets: Secrets; baseUrl: string };

export function createDemoProvider(own: DemoOptions): DemoProvider {
  const { mongo, clock, secrets, baseUrl } = own;
  const { db } = mongo;

  async function find(ref: string): Promise<DemoCheckoutDoc> {
    const found = await findCheckout(db, ref);
    if (!found) throw new PaymentProviderFailed("the demo provider has no such checkout", { isFinal: true });
    const isOver = found.state === "open" && found.expiresAt <= clock.now();
    if (!isOver) return found;
    return (await endCheckout(db, ref, { state: "expired", payment: null })) ?? find(ref);
  }

  function toCheckout({ _id, state, payment, every }: DemoCheckoutDoc): Checkout {
    const url = state === "open" ? `${baseUrl}/payments/demo/${_id}` : null;
    return { ref: _id, state, url, payment, subscriptionRef: state === "paid" ? refOf(_id, every) : null };
  }

  async function findOwn(ref: string, accountId: string): Promise<DemoCheckoutDoc | undefined> {
    const found = await findCheckout(db, ref);
    return found?.accountId === accountId ? find(ref) : undefined;
  }

  return {
    name: "demo",
    createCheckout: async ({ idempotencyKey, at: _at, ...wanted }) => {
      const digest = createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 32);
      const made = await putCheckout(db, {
        _id: `demo_${digest}`,
        ...wanted,
        state: "open",
        payment: null,
        refunded: false,
        createdAt: clock.now(),
      });
      return toCheckout(made);
    },
    fetchCheckout: async (ref) => toCheckout(await find(ref)),
    cancelCheckout: async (ref) => {
      await find(ref);
      const ended = await endCheckout(db, ref, { state: "cancelled", payment: null });
      return toCheckout(ended ?? (await find(ref)));
    },
    listOpenCheckouts: () => findOpenCheckouts(db, clock.now()),
    refund: ({ paymentRef }) => refund(own, paymentRef),
    // There is no card to change.
    createPortal: async () => null,
    readSubscription: (ref) => readDemoSubscription(mongo, ref),
    cancelSubscription: (wanted) => cancelDemoSubscription(own, wanted),
    changeSubscription: (wanted) => changeDemoSubscription(own, wanted),
    readEvent: async (rawBody, headers) => readDemoEvent(rawBody, headers, { secrets, now: clock.now() }),
    findCheckout: findOwn,
    press: async ({ ref, accountId, action, delivery }) => {
      const open = await findOwn(ref, accountId);
      if (open?.state !== "open") return open;
      const state = action === "decline" ? "declined" : "paid";
      await end(own, open, { state, at: clock.now(), delivery, declines: action === "pay_once" });
      return find(ref);
    },
    renewDue: () => renewDemoSubscription(own),
    endPeriod: (ref, tx) => endDemoPeriod(mongo, ref, tx),
  };
}

async function refund(own: DemoOptions, paymentRef: string): Promise<void> {
  await inTx(own, async (tx) => {
    const refunded = await markRefunded(own.mongo.db, paymentRef, tx);
    if (!refunded) return;
    const amountCents = totalOf(refunded);
    const news = { kind: "refunded", paymentRef, amountCents, isWhole: true } as const;
    await sendDemoEvent(
      own.mongo,
      { id: `${paymentRef}_refunded`, at: tx.now, news },
      { delivery: "once", tx },
    );
  });
}

async function end(
  own: DemoOptions,
  { _id: ref, accountId, orderId, ...open }: DemoCheckoutDoc,
  {
    state,
    at,
    delivery,
    declines,
  }: { state: "paid" | "declined"; at: Date; delivery: DemoDelivery; declines: boolean },
): Promise<void> {
  const facts = { checkoutRef: ref, orderId, accountId };
  const money = {
    ref: ref.replace(/^demo_/, "demo_pay_"),
    amountCents: totalOf(open),
    taxCents: 0,
    currency: open.currency,
    at,
  };
  const begun =
    state === "paid" ? beginDemoSubscription({ ...open, _id: ref, accountId }, { at, declines }) : null;
  const payment: Payment = {
    ...money,
    ...(begun && { period: { from: begun.paidFrom, until: begun.paidUntil } }),
  };
  const news: PaymentEventBody =
    state === "paid"
      ? { kind: state, ...facts, payment, subscriptionRef: begun?._id ?? null }
      : { kind: state, ...facts };
  const { mongo } = own;
  await inTx({ mongo, now: at }, async (tx) => {
    const how = { state, payment: state === "paid" ? payment : null };
    if (!(await endCheckout(mongo.db, ref, how, tx))) return;
    if (begun) await insertDemoSubscription(mongo.db, begun, tx);
    await sendDemoEvent(mongo, { id: `${ref}_${state}`, at, news }, { delivery, tx });
  });
}

function totalOf({ items }: Pick<DemoCheckoutDoc, "items">): number {
  return items.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
