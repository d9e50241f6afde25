// What a worker does for the shop in the background.
import { createMailer } from "../../runtime/mail.ts";
import type { Service } from "../../runtime/service.ts";
import type { App } from "../kernel/app.ts";
import { sendDueMails } from "../kernel/mail/send.ts";
import { giveBackPayment } from "../shop/orders/give-back.ts";
import { checkOpenOrder } from "../shop/orders/reconcile.ts";
import { carryOutTask } from "../shop/subscriptions/carry-out.ts";
import { endDueSubscriptions } from "../shop/subscriptions/end-due.ts";
import { deliverDemoEvent } from "../adapters/payments/deliver-demo.ts";

/** How often to look for what is due. */
const POLL_MS = 1_000;

/** Adds the shop's loops to the worker's service. `close` of the answer closes the connection to the mail server. */
export function addShopLoops(service: Service, app: App): { close(): void } {
  /** A step answers whether there was something to do: then there may be more. */
  const drain = (what: string, step: (signal: AbortSignal) => Promise<boolean>) =>
    service.loop(what, async (signal) => ((await step(signal)) ? 0 : POLL_MS));
  const mailer = createMailer(app.config, app.log);
  // Without a server mails wait for one, for as long as they are news.
  if (mailer) drain("send mail", async () => (await sendDueMails(app, { mailer })) > 0);
  drain("ask for open orders", () => checkOpenOrder(app));
  drain("give payments back", () => giveBackPayment(app));
  service.every(POLL_MS, "end subscriptions whose time is over", (signal) =>
    endDueSubscriptions(app, signal),
  );
  drain("tell payment providers of subscriptions", async () => (await carryOutTask(app)) !== undefined);
  const { demo } = app.payments;
  if (demo) {
    drain("send events of the demo payment provider", (signal) => deliverDemoEvent(app, signal));
    drain("renew subscriptions at the demo payment provider", () => demo.renewDue());
  }
  return { close: () => mailer?.close() };
}
