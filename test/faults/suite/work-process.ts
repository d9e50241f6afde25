// A worker that does the work of every user of the work queue in parallel and without a pause, for a test that kills it midway. Settings
// come from the environment, the URL of demo events from its argument. Reports when it is up, starts on request, and ends with its parent.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { deliverDemoEvent } from "../../../core/adapters/payments/deliver-demo.ts";
import { sendDueMails } from "../../../core/kernel/mail/send.ts";
import { archiveOld } from "../../../core/operations/retention/archive-old.ts";
import { checkOpenOrder } from "../../../core/shop/orders/reconcile.ts";
import { refundPayment } from "../../../core/shop/orders/refunds.ts";
import { compareSubscription } from "../../../core/shop/subscriptions/compare.ts";
import { createMailer } from "../../../runtime/mail.ts";
import { openProcess } from "./open-process.ts";
import { archiving, SMALL } from "./work-clock.ts";

const [baseUrl = ""] = process.argv.slice(2);
const { app: opened, config, log } = await openProcess("worker");
const app = { ...opened, baseUrl };
const mailer = createMailer(config, log);
if (!mailer) throw new Error("there is a mail server");
const signal = new AbortController().signal;

const steps: (() => Promise<unknown>)[] = [
  () => sendDueMails(app, { mailer }),
  () => deliverDemoEvent(app, signal),
  () => refundPayment(app),
  () => checkOpenOrder(app),
  () => archiveOld(archiving(app), signal, SMALL),
  () => compareSubscription(app),
];
process.send?.("up");
await once(process, "message");
await Promise.all(
  steps.map(async (step) => {
    // As in a worker's loops, an error such as a lost lease ends a step and not the work.
    for (;;) if (!(await step().catch(() => false))) await sleep(5);
  }),
);
