// A worker is killed with -9 at any moment while all users of the work queue have work: no work is lost or repeated. Mails and webhooks can
// only be sent at least once: each kill repeats at most those that the worker had.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { deliverDemoEvent } from "../../core/adapters/payments/deliver-demo.ts";
import { type PaymentProvider, PaymentProviderFailed } from "../../core/adapters/payments/provider.ts";
import { inTx } from "../../core/base/mongo/in-tx.ts";
import type { Work } from "../../core/base/work/rules.ts";
import type { App } from "../../core/kernel/app.ts";
import { queueMail } from "../../core/kernel/mail/queue.ts";
import { sendDueMails } from "../../core/kernel/mail/send.ts";
import { archiveOld } from "../../core/operations/retention/archive-old.ts";
import { startCheckout } from "../../core/shop/orders/checkout.ts";
import { checkOpenOrder } from "../../core/shop/orders/reconcile.ts";
import { refundOrder, refundPayment } from "../../core/shop/orders/refunds.ts";
import type { OrderDoc, PaymentDoc } from "../../core/shop/orders/store.ts";
import { takeEvent } from "../../core/shop/orders/take-event.ts";
import {
  cancelSubscription,
  changeSubscription,
  resumeSubscription,
} from "../../core/shop/subscriptions/change.ts";
import { compareSubscription } from "../../core/shop/subscriptions/compare.ts";
import { findSubscriptions, type SubscriptionDoc } from "../../core/shop/subscriptions/store.ts";
import { listJobs } from "../../core/studio/jobs/list.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../core/studio/runs/finalize.ts";
import { AppError } from "../../proto/codes.ts";
import { createMailer, type Mailer } from "../../runtime/mail.ts";
import { place, PRO } from "../core/shop/orders/shop-fixture.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { startMailServer } from "../support/mail-server.ts";
import { forkWorker } from "./suite/fork-worker.ts";
import { ARCHIVE_DAYS, archiving, SMALL } from "./suite/work-clock.ts";

/** About as long as a worker needs for the work of one life. */
const LIFE_MS = 400;
const MAILS = 12;
const BUYERS = 4;
const JOBS = 3;
const SUBSCRIBERS = 3;
const QUEUES = ["mails", "demo_events", "payments", "orders", "archive_passes", "subscriptions"] as const;
const PLANS = { starter: 900, pro: 2_900, studio: 9_900 } as const;
const LONG_AGO = new Date(1);

type Row = { _id: string; work?: Work };
const add = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);

function mailerOf({ config, log }: App): Mailer {
  const mailer = createMailer(config, log);
  if (!mailer) throw new Error("there is a mail server");
  return mailer;
}

test(
  "[SHOP-02] killed workers lose no queued work and repeat none, and the audit is clean",
  { timeout: 3_600_000 },
  async () => {
    const smtp = await startMailServer();
    const env = { ATELIER_ARCHIVE_AFTER_DAYS: String(ARCHIVE_DAYS), ATELIER_SMTP_URL: smtp.url };
    const testApp = await createTestApp({ env });
    const { app, close } = testApp;
    const { demo } = app.payments;
    if (!demo) throw new Error("there is a demo provider");
    const mailer = mailerOf(app);
    const { db } = app.mongo;
    /** The deliveries of each event by id. */
    const calls = new Map<string, number>();
    const kinds = new Map<string, string>();
    const server = createServer((request, response) => {
      void (async () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const event = await demo.readEvent(await buffer(request), headers);
        add(calls, event.id);
        kinds.set(event.id, event.news.kind);
        await takeEvent(app, "demo", event);
        response.end();
      })().catch(() => response.writeHead(503).end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const worker = { ...app, baseUrl };

    const buyers: string[] = [];
    while (buyers.length < BUYERS) buyers.push((await createCustomer(app, { credits: 0 })).accountId);
    const placed = new Set<string>();
    const maker = await createCustomer(app, { plan: "studio", credits: inject("workKills") * JOBS * 10 });
    const subscribers: string[] = [];
    while (subscribers.length < SUBSCRIBERS) subscribers.push(await subscriber());
    let mails = 0;
    let jobs = 0;
    /** Paid changes by subscription. */
    const changes = new Map<string, number>();
    /** Work of a killed worker, which may be done without being stored. */
    const held = new Map<string, number>();
    const met = new Map<string, number>();
    let metAll = 0;

    const start = () =>
      forkWorker("work-process.ts", testApp, {
        args: [baseUrl],
        env: { ...env, ATELIER_CONTENT_CREDENTIALS: "off" },
      });
    let next = start();
    for (let life = 0; life < inject("workKills"); life++) {
      const worker = next;
      // It starts while the other one works.
      next = start();
      await produce(life);
      await worker.up;
      worker.send({});
      await sleep(Math.random() * LIFE_MS);
      await worker.signal("SIGKILL");
      await passLeases();
    }
    await next.signal("SIGKILL");
    await finish();

    const lost: Record<string, unknown> = {};
    for (const queue of QUEUES.filter((name) => name !== "archive_passes"))
      lost[queue] = await db.collection(queue).countDocuments({ "work.due_at": { $ne: null } });
    expect(lost).toEqual({ mails: 0, demo_events: 0, payments: 0, orders: 0, subscriptions: 0 });
    checkMails();
    await checkOrders();
    for (const accountId of subscribers) await checkSubscription(accountId);
    await checkJobs();
    // Each event was applied once, whatever was repeated.
    for (const [id, count] of calls) expect([id, count <= 1 + (held.get(id) ?? 0)]).toEqual([id, true]);
    expect(await auditFindings(app)).toEqual([]);
    const figures = {
      kills: inject("workKills"),
      metAll,
      met: Object.fromEntries(met),
      mails: { sent: smtp.received.length, of: await db.collection("mails").countDocuments() },
      events: { sent: [...calls.values()].reduce((sum, one) => sum + one, 0), of: calls.size },
      orders: await db.collection("orders").countDocuments(),
      refunds: await db.collection("payments").countDocuments({ state: "given_back" }),
      jobs,
      segments: await db.collection("archive_segments").countDocuments(),
      changes: [...changes.values()].reduce((sum, one) => sum + one, 0),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    if (inject("workKills") >= 100) expect(metAll).toBeGreaterThan(inject("workKills") / 4);
    mailer.close();
    server.close();
    await smtp.close();
    await close();

    async function subscriber(): Promise<string> {
      const { accountId } = await createCustomer(app, { plan: "free" });
      const { _id: orderId } = await place(app, accountId, PRO, 2_900);
      const { order } = await startCheckout(app, accountId, { orderId, expectedCents: 2_900 });
      await demo?.press({ ref: order.provider_ref ?? "", accountId, action: "pay", delivery: "once" });
      const signal = new AbortController().signal;
      while (await deliverDemoEvent({ ...app, baseUrl }, signal));
      return accountId;
    }

    /** Adds work to each queue. */
    async function produce(life: number): Promise<void> {
      await inTx(app, async (tx) => {
        for (let i = 0; i < MAILS; i++)
          await queueMail(app, tx, {
            accountId: buyers[0] ?? "",
            to: "buyer@example.com",
            subject: "Work",
            text: "Work",
            kind: "test.work",
            ref: `${life}/${i}`,
          });
      });
      mails += MAILS;
      const wanted = { kind: "credits", pack: "small" } as const;
      for (const [i, accountId] of buyers.entries()) {
        if (Math.random() < 0.5) continue;
        const { _id: orderId } = await place(app, accountId, wanted, 500);
        placed.add(orderId);
        const { order } = await startCheckout(app, accountId, { orderId, expectedCents: 500 });
        const delivery = i % 2 === 0 ? "once" : "never";
        await demo?.press({ ref: order.provider_ref ?? "", accountId, action: "pay", delivery });
        if (delivery === "never")
          await db
            .collection<Row>("orders")
            .updateOne({ _id: orderId, "work.owner": null }, { $set: { "work.due_at": new Date() } });
      }
      const bought = await db
        .collection<OrderDoc>("orders")
        .find({ account_id: { $in: buyers }, state: "fulfilled" })
        .limit(BUYERS / 2)
        .toArray();
      for (const { _id } of bought) await refundOrder(app, _id, "Not wanted.");
      await acceptMany(app, JOBS, askFor(maker.caller));
      const claims = await claimJobs(app, { worker: "w", limit: JOBS, leaseMs: 60_000 });
      await finalizeJobs(
        app,
        claims.map((claim) => ({ claim, outcome: { kind: "completed" as const, outputs: [] }, files: [] })),
      );
      jobs += claims.length;
      for (const accountId of subscribers) await wish(accountId);
    }

    /** Stored while the provider is away, for a worker to send. */
    async function wish(accountId: string): Promise<void> {
      const fail = () => Promise.reject(new PaymentProviderFailed("away"));
      const away: PaymentProvider = { ...demo, readSubscription: fail } as PaymentProvider;
      const asked = { ...app, payments: { known: new Map([["demo", away]]), current: away, demo } };
      const [before] = await findSubscriptions(db, accountId);
      const pick = Math.random();
      try {
        if (before?.state === "cancelling") await resumeSubscription(asked, accountId, "plan");
        else if (pick < 0.4) await cancelSubscription(asked, accountId, "plan");
        else {
          const what = before?.what === "pro" ? "studio" : "pro";
          const change = { kind: "plan", what, interval: "month", expectedCents: PLANS[what] } as const;
          const after = await changeSubscription(asked, accountId, change);
          if (after.change && after.change.key !== before?.change?.key) add(changes, after._id);
        }
      } catch (error) {
        // The one before is still unsent.
        if (!(error instanceof AppError)) throw error;
      }
      const due = { $set: { "work.due_at": new Date() } };
      const waiting = { account_id: accountId, "work.owner": null, "work.due_at": { $ne: null } };
      await db.collection("subscriptions").updateMany(waiting, due);
    }

    /** Ends the killed worker's leases, and moves the archive's clock by a day. Records its work, which may be done once more. */
    async function passLeases(): Promise<void> {
      const left: string[] = [];
      for (const queue of QUEUES) {
        const rows = db.collection<Row>(queue);
        const isHeld = { "work.owner": { $ne: null } };
        for (const { _id } of await rows.find(isHeld).toArray())
          add(held, queue === "mails" ? _id.replaceAll(/[^\w.-]/g, "-") : _id);
        const isDue = { "work.due_at": { $ne: null } };
        if ((await rows.countDocuments(isDue)) > 0) left.push(queue);
        const isWhole = queue === "archive_passes" || queue === "subscriptions";
        await rows.updateMany(isWhole ? isDue : { ...isDue, ...isHeld }, {
          $set: { "work.due_at": LONG_AGO },
        });
      }
      for (const queue of left) add(met, queue);
      if (left.length === QUEUES.length) metAll += 1;
    }

    async function finish(): Promise<void> {
      const signal = new AbortController().signal;
      for (let round = 0; round < 3; round++) {
        for (const queue of QUEUES)
          await db
            .collection(queue)
            .updateMany({ "work.due_at": { $ne: null } }, { $set: { "work.due_at": LONG_AGO } });
        await archiveOld(archiving(app), signal, SMALL);
        while (await compareSubscription(worker));
        while (await checkOpenOrder(worker));
        while (await refundPayment(worker));
        while (await deliverDemoEvent(worker, signal));
        while (await sendDueMails(worker, { mailer }));
      }
    }

    function checkMails(): void {
      const received = new Map<string, number>();
      for (const { raw } of smtp.received) {
        const id = /^message-id:\s*<?(\S+?)(?:@[^@>\s]*)?>?\s*$/im.exec(raw)?.[1] ?? "";
        add(received, id);
      }
      expect([...received.keys()].filter((id) => id.includes("test.work"))).toHaveLength(mails);
      for (const [id, count] of received) expect([id, count <= 1 + (held.get(id) ?? 0)]).toEqual([id, true]);
    }

    async function checkOrders(): Promise<void> {
      const orders = await db
        .collection<OrderDoc>("orders")
        .find({ account_id: { $in: buyers } })
        .toArray();
      expect(orders).toHaveLength(placed.size);
      expect(orders.filter(({ state }) => state !== "fulfilled" && state !== "refunded")).toEqual([]);
      const payments = await db
        .collection<PaymentDoc>("payments")
        .find({ account_id: { $in: buyers } })
        .toArray();
      // At the bank: paid once, and refunded if the order was.
      const checkouts = await db
        .collection<{ orderId: string; refunded: boolean }>("demo_checkouts")
        .find({ accountId: { $in: buyers }, state: "paid" })
        .toArray();
      const refunded = new Set(orders.filter(({ state }) => state === "refunded").map(({ _id }) => _id));
      expect(checkouts).toHaveLength(orders.length);
      for (const { orderId, refunded: isBack } of checkouts)
        expect([orderId, isBack]).toEqual([orderId, refunded.has(orderId)]);
      expect(payments.filter(({ state }) => state === "given_back")).toHaveLength(refunded.size);
    }

    async function checkSubscription(accountId: string): Promise<void> {
      const [found] = await findSubscriptions(db, accountId);
      const { _id, provider_ref, price_cents, state, next_change } = found as SubscriptionDoc;
      const there = await demo?.readSubscription(provider_ref);
      expect(there).toMatchObject({ endsThen: state === "cancelling", price: { amountCents: price_cents } });
      if (state === "active")
        expect(there?.nextPrice?.amountCents ?? price_cents).toBe(next_change?.price_cents ?? price_cents);
      const charged = [...kinds].filter(
        ([id, kind]) => kind === "change_paid" && id.startsWith(`${provider_ref}_`),
      );
      expect(charged.length).toBeLessThanOrEqual(changes.get(_id) ?? 0);
    }

    async function checkJobs(): Promise<void> {
      const seen: string[] = [];
      let cursor = "";
      do {
        const page = await listJobs(app, { accountId: maker.accountId, limit: 100, cursor, state: "" });
        seen.push(...page.jobs.map(({ job_id }) => job_id));
        cursor = page.nextCursor ?? "";
      } while (cursor !== "");
      expect([seen.length, new Set(seen).size]).toEqual([jobs, jobs]);
    }
  },
);
