// What a worker does for the shop in the background.
import { createMailer } from "../runtime/mail.ts";
import type { Service } from "../runtime/service.ts";
import type { App } from "./app.ts";
import { sendDueMails } from "./mail/send.ts";
import { giveBackPayment } from "./orders/give-back.ts";
import { checkOpenOrder } from "./orders/reconcile.ts";
import { carryOutTask } from "./subscriptions/carry-out.ts";
import { endDueSubscriptions } from "./subscriptions/end-due.ts";
import { deliverDemoEvent } from "./payments/deliver-demo.ts";

/** How often to look for what is due. */
const POLL_MS = 1_000;

/** Adds its loops to the worker's service. What this gives back lets go of the mail server. */
export function addShopLoops(service: Service, app: App): { close(): void } {
  const mailer = createMailer(app.config, app.log);
  // Without a server mails wait for one, for as long as they are news.
  if (mailer)
    service.loop("send mail", async () => ((await sendDueMails(app, { mailer })) > 0 ? 0 : POLL_MS));
  service.loop("ask for open orders", async () => ((await checkOpenOrder(app)) ? 0 : POLL_MS));
  service.loop("give payments back", async () => ((await giveBackPayment(app)) ? 0 : POLL_MS));
  service.every(POLL_MS, "end subscriptions whose time is over", (signal) =>
    endDueSubscriptions(app, signal),
  );
  service.loop("tell payment providers of subscriptions", async () =>
    (await carryOutTask(app)) ? 0 : POLL_MS,
  );
  const { demo } = app.payments;
  if (demo) {
    service.loop("send events of the demo payment provider", async (signal) =>
      (await deliverDemoEvent(app, signal)) ? 0 : POLL_MS,
    );
    service.loop("renew subscriptions at the demo payment provider", async () =>
      (await demo.renewDue()) ? 0 : POLL_MS,
    );
  }
  return { close: () => mailer?.close() };
}
