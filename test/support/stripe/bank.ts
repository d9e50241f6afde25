// Stripe's state: customers, checkouts, payments and subscriptions; and the actions of people, banks and time, each with its events.
import { randomBytes } from "node:crypto";
import { monthsLater } from "../../../runtime/months.ts";
import { type Form, formIn, listIn, textIn } from "./form.ts";
import type { Intent, Invoice, Price, Schedule, Session, StripeEvent, Subscription } from "./things.ts";
import { Refused } from "./things.ts";

export type Bank = ReturnType<typeof createBank>;

export function createBank() {
  const customers = new Map<string, { id: string }>();
  const products = new Map<string, { id: string }>();
  const intents = new Map<string, Intent>();
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const invoices = new Map<string, Invoice>();
  const schedules = new Map<string, Schedule>();
  const events: StripeEvent[] = [];
  let count = 0;
  /** Its own clock, in seconds; tests move it. */
  const clock = { now: 1_780_000_000 };
  /** The period that begins now. */
  const periodFor = (interval: string) => ({
    current_period_start: clock.now,
    current_period_end:
      monthsLater(new Date(clock.now * 1000), interval === "year" ? 12 : 1).getTime() / 1000,
  });

  function put<T extends { id: string }>(things: Map<string, T>, thing: T): T {
    things.set(thing.id, thing);
    return thing;
  }
  /** Specific to this bank: tests may have several, and one database. */
  const mark = randomBytes(4).toString("hex");
  const newId = (prefix: string) => `${prefix}_${mark}${++count}`;

  function find<T>(things: ReadonlyMap<string, T>, id: string | null | undefined, param = "id"): T {
    const found = things.get(id ?? "");
    if (!found) throw new Refused(404, `No such object: '${id}'`, { code: "resource_missing", param });
    return found;
  }

  /** The current state. */
  function emit(type: string, object: object): StripeEvent {
    const event = {
      id: newId("evt"),
      object: "event",
      type,
      created: clock.now,
      data: { object: structuredClone(object) },
    };
    events.push(event);
    return event;
  }

  function charge(amount: number, isSettled: boolean): Intent {
    const intent = put(intents, { id: newId("pi"), amount, status: "processing", latest_charge: null });
    if (isSettled) settle(intent);
    return intent;
  }

  function settle(intent: Intent): void {
    const { id: payment_intent, amount } = intent;
    const facts = { created: clock.now, amount, amount_refunded: 0, refunded: false, payment_intent };
    intent.status = "succeeded";
    intent.latest_charge = { id: newId("ch"), ...facts };
  }

  function createSession(form: Form): Session {
    find(customers, textIn(form, "customer"), "customer");
    const expiresAt = Number(textIn(form, "expires_at") ?? clock.now + 86_400);
    if (expiresAt < clock.now + 1800 || expiresAt > clock.now + 86_400)
      throw new Refused(400, "expires_at must be within half an hour and a day", { param: "expires_at" });
    const lines = listIn(form, "line_items").map((line) => formIn(line, "price_data"));
    const id = newId("cs");
    return put(sessions, {
      id,
      object: "checkout.session",
      mode: textIn(form, "mode") ?? "",
      status: "open",
      payment_status: "unpaid",
      url: `https://checkout.stripe.test/${id}`,
      client_reference_id: textIn(form, "client_reference_id") ?? "",
      metadata: { ...formIn(form, "metadata") },
      subscription_metadata: { ...formIn(form, "subscription_data", "metadata") },
      created: clock.now,
      expires_at: expiresAt,
      interval: textIn(formIn(lines[0], "recurring"), "interval") ?? "",
      net: lines.reduce((sum, line) => sum + Number(textIn(line, "unit_amount")), 0),
      tax: textIn(formIn(form, "automatic_tax"), "enabled") === "true",
      currency: textIn(lines[0] ?? {}, "currency") ?? "",
      amount_total: null,
      total_details: null,
      payment_intent: null,
      invoice: null,
      subscription: null,
    });
  }

  /** Newest first, in pages. */
  function listSessions(form: Form): object {
    const all = [...sessions.values()].toReversed();
    const from = all.findIndex(({ id }) => id === textIn(form, "starting_after")) + 1;
    const limit = Number(textIn(form, "limit") ?? 10);
    const wanted = all.slice(from).filter((session) => session.status === textIn(form, "status"));
    return { object: "list", data: wanted.slice(0, limit), has_more: wanted.length > limit };
  }

  function createInvoice(
    subscription: Subscription,
    {
      reason,
      amount,
      tax,
      proration = false,
    }: { reason: string; amount: number; tax: number; proration?: boolean },
  ): Invoice {
    const [item] = subscription.items.data;
    return put(invoices, {
      id: newId("in"),
      object: "invoice",
      billing_reason: reason,
      status: "open",
      created: clock.now,
      currency: "usd",
      total: amount + tax,
      amount_paid: 0,
      total_taxes: [{ amount: tax }],
      status_transitions: { paid_at: null },
      parent: { subscription_details: { subscription: subscription.id, metadata: subscription.metadata } },
      lines: {
        data: [
          {
            amount: proration ? amount : item.price.unit_amount,
            period: { start: item.current_period_start, end: item.current_period_end },
            parent: { subscription_item_details: { proration } },
          },
        ],
      },
      payments: { data: [] },
    });
  }

  function payInvoice(invoice: Invoice): Invoice {
    const intent = charge(invoice.total, true);
    Object.assign(invoice, {
      status: "paid",
      amount_paid: invoice.total,
      status_transitions: { paid_at: clock.now },
      payments: {
        data: [{ status: "paid", payment: { type: "payment_intent", payment_intent: intent.id } }],
      },
    });
    emit("invoice.paid", invoice);
    return invoice;
  }

  function newPrice(unit_amount: number, interval: string): Price {
    return { id: newId("price"), unit_amount, recurring: { interval } };
  }

  function priceOf(form: Form): Price {
    const interval = textIn(formIn(form, "recurring"), "interval") ?? "";
    return newPrice(Number(textIn(form, "unit_amount")), interval);
  }

  function begin(session: Session, tax: number): void {
    const subscription = put(subscriptions, {
      id: newId("sub"),
      object: "subscription",
      status: "active",
      created: clock.now,
      ended_at: null,
      cancel_at_period_end: false,
      schedule: null,
      latest_invoice: "",
      metadata: session.subscription_metadata,
      items: {
        data: [
          {
            id: newId("si"),
            price: newPrice(session.net, session.interval),
            ...periodFor(session.interval),
          },
        ],
      },
    });
    const invoice = createInvoice(subscription, {
      reason: "subscription_create",
      amount: session.net,
      tax,
    });
    Object.assign(session, { subscription: subscription.id, invoice: invoice.id });
    payInvoice(invoice);
  }

  function complete(session: Session, isPaid: boolean): void {
    const tax = session.tax ? Math.round(session.net * 0.19) : 0;
    Object.assign(session, {
      status: "complete",
      url: null,
      amount_total: session.net + tax,
      total_details: { amount_tax: tax },
      payment_status: isPaid ? "paid" : "unpaid",
    });
    if (session.mode === "subscription") begin(session, tax);
    else session.payment_intent = charge(session.net + tax, isPaid).id;
    emit("checkout.session.completed", session);
  }

  function giveBack(intentId: string, amount?: number): { id: string } {
    const found = find(intents, intentId, "payment_intent").latest_charge;
    if (!found) throw new Refused(400, "nothing was charged");
    if (found.refunded) throw new Refused(400, "already refunded", { code: "charge_already_refunded" });
    found.amount_refunded += amount ?? found.amount - found.amount_refunded;
    found.refunded = found.amount_refunded === found.amount;
    emit("charge.refunded", found);
    return { id: newId("re") };
  }

  function expire(session: Session): Session {
    if (session.status !== "open") throw new Refused(400, "Only open sessions can be expired");
    Object.assign(session, { status: "expired", url: null });
    emit("checkout.session.expired", session);
    return session;
  }

  function end(subscription: Subscription): Subscription {
    Object.assign(subscription, { status: "canceled", ended_at: clock.now });
    emit("customer.subscription.deleted", subscription);
    return subscription;
  }

  function updateSubscription(subscription: Subscription, form: Form): Subscription {
    if (subscription.schedule !== null) throw new Refused(400, "a schedule manages this subscription");
    const flag = textIn(form, "cancel_at_period_end");
    if (flag !== undefined) subscription.cancel_at_period_end = flag === "true";
    const [wanted] = listIn(form, "items");
    if (wanted) change(subscription, wanted, form);
    emit("customer.subscription.updated", subscription);
    return subscription;
  }

  /** Within its period, or with an anchor from now on in a new one; unused time is credited. */
  function change(subscription: Subscription, wanted: Form, form: Form): void {
    const price = formIn(wanted, "price_data");
    find(products, textIn(price, "product"), "product");
    const [item] = subscription.items.data;
    if (textIn(wanted, "id") !== item.id)
      throw new Refused(404, "no such item", { code: "resource_missing" });
    const unit_amount = Number(textIn(price, "unit_amount"));
    const left =
      (item.current_period_end - clock.now) / (item.current_period_end - item.current_period_start);
    const isNew = textIn(formIn(form, "billing_cycle_anchor"), "type") === "now";
    const amount = Math.round(unit_amount * (isNew ? 1 : left)) - Math.round(item.price.unit_amount * left);
    if (world.isDeclining && textIn(form, "payment_behavior") === "error_if_incomplete")
      throw new Refused(402, "Your card was declined.", { type: "card_error", code: "card_declined" });
    item.price = priceOf(price);
    if (isNew) Object.assign(item, periodFor(item.price.recurring.interval));
    const reason = "subscription_update";
    if (amount > 0) payInvoice(createInvoice(subscription, { reason, amount, tax: 0, proration: !isNew }));
  }

  /** The change scheduled for the next period. */
  function startPhase(subscription: Subscription): void {
    if (subscription.schedule === null) return;
    const [item] = subscription.items.data;
    const [wanted] = listIn(find(schedules, subscription.schedule).phases[1] ?? {}, "items");
    item.price = priceOf(formIn(wanted, "price_data"));
    subscription.schedule = null;
  }

  /** With its prices; a phase starts where the one before ends. */
  function expandSchedule({ phases, ...schedule }: Schedule): object {
    const [item] = find(subscriptions, schedule.subscription).items.data;
    return {
      ...schedule,
      phases: phases.map((phase, i) => ({
        start_date: i === 0 ? item.current_period_start : item.current_period_end,
        items: listIn(phase, "items").map((wanted) => ({
          price: i === 0 ? item.price : priceOf(formIn(wanted, "price_data")),
        })),
      })),
    };
  }

  /** API requests. Throws Refused. */
  function handle(method: string, path: string, form: Form): unknown {
    const [, , ...parts] = path.split("/");
    const route = `${method} ${parts.map((part) => (/_\w*\d/.test(part) ? ":id" : part)).join("/")}`;
    const id = parts.find((part) => /_\w*\d/.test(part)) ?? "";
    switch (route) {
      case "POST customers":
        return put(customers, { id: newId("cus") });
      case "POST checkout/sessions":
        return createSession(form);
      case "GET checkout/sessions":
        return listSessions(form);
      case "GET checkout/sessions/:id":
        return expandSession(find(sessions, id));
      case "POST checkout/sessions/:id/expire":
        return expire(find(sessions, id));
      case "POST refunds":
        return giveBack(textIn(form, "payment_intent") ?? "");
      case "POST billing_portal/sessions": {
        const { id: customer } = find(customers, textIn(form, "customer"), "customer");
        return { id: newId("bps"), url: `https://billing.stripe.test/${customer}` };
      }
      case "GET invoices/:id":
        return find(invoices, id);
      case "GET subscriptions/:id":
        return find(subscriptions, id);
      case "POST subscriptions/:id":
        return updateSubscription(find(subscriptions, id), form);
      case "DELETE subscriptions/:id":
        return end(find(subscriptions, id));
      case "POST products":
        if (products.has(textIn(form, "id") ?? ""))
          throw new Refused(400, "it exists", { code: "resource_already_exists" });
        return put(products, { id: textIn(form, "id") ?? "" });
      case "POST subscription_schedules": {
        const subscription = find(subscriptions, textIn(form, "from_subscription"));
        if (subscription.schedule !== null) throw new Refused(400, "it has a schedule");
        const schedule = put(schedules, {
          id: newId("sub_sched"),
          subscription: subscription.id,
          phases: [],
        });
        subscription.schedule = schedule.id;
        return schedule;
      }
      case "GET subscription_schedules/:id":
        return expandSchedule(find(schedules, id));
      case "POST subscription_schedules/:id":
        return Object.assign(find(schedules, id), { phases: listIn(form, "phases") });
      case "POST subscription_schedules/:id/release":
        find(subscriptions, find(schedules, id).subscription).schedule = null;
        return find(schedules, id);
      default:
        throw new Refused(404, `Unrecognized request URL (${route})`);
    }
  }

  function expandSession(session: Session): object {
    const whole = <T>(things: ReadonlyMap<string, T>, id: string | null) =>
      id === null ? null : find(things, id);
    return {
      ...session,
      payment_intent: whole(intents, session.payment_intent),
      invoice: whole(invoices, session.invoice),
      subscription: whole(subscriptions, session.subscription),
    };
  }

  /** Actions at Stripe outside the service. */
  const world = {
    clock,
    events,
    handle,
    subscription: (ref: string) => find(subscriptions, ref),
    schedule: (ref: string | null) => find(schedules, ref),
    /** Whether banks decline. */
    isDeclining: false,
    /** The buyer presses Pay. A declined card leaves the page open. */
    pay: (ref: string) => {
      const session = find(sessions, ref);
      if (session.status !== "open") throw new Error(`${ref} is ${session.status}`);
      if (world.isDeclining) return void emit("payment_intent.payment_failed", charge(session.net, false));
      complete(session, true);
    },
    /** With a delayed payment method. */
    payLater: (ref: string) => complete(find(sessions, ref), false),
    bankDecides: (ref: string, isPaid: boolean) => {
      const session = find(sessions, ref);
      const intent = find(intents, session.payment_intent);
      if (isPaid) settle(intent);
      else intent.status = "requires_payment_method";
      session.payment_status = isPaid ? "paid" : "unpaid";
      emit(
        isPaid ? "checkout.session.async_payment_succeeded" : "checkout.session.async_payment_failed",
        session,
      );
    },
    timeIsUp: (ref: string) => void expire(find(sessions, ref)),
    refundByHand: (intentId: string, amount?: number) => void giveBack(intentId, amount),
    dispute: (intentId: string, type: string, status: string) =>
      void emit(`charge.dispute.${type}`, { id: `dp_${intentId}`, payment_intent: intentId, status }),
    /** Ends the period. */
    renew: (ref: string) => {
      const subscription = find(subscriptions, ref);
      const [item] = subscription.items.data;
      clock.now = item.current_period_end;
      if (subscription.cancel_at_period_end) return void end(subscription);
      startPhase(subscription);
      Object.assign(item, periodFor(item.price.recurring.interval));
      const invoice = createInvoice(subscription, {
        reason: "subscription_cycle",
        amount: item.price.unit_amount,
        tax: 0,
      });
      subscription.latest_invoice = invoice.id;
      subscription.status = world.isDeclining ? "past_due" : "active";
      if (world.isDeclining) emit("invoice.payment_failed", invoice);
      else payInvoice(invoice);
      emit("customer.subscription.updated", subscription);
    },
    /** Stripe retries a declined card. */
    payOverdue: (ref: string) => {
      const subscription = find(subscriptions, ref);
      payInvoice(find(invoices, subscription.latest_invoice));
      subscription.status = "active";
      emit("customer.subscription.updated", subscription);
    },
    endNow: (ref: string) => void end(find(subscriptions, ref)),
    forgetCustomer: (id: string) => void customers.delete(id),
  };
  return world;
}
