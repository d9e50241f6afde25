// A process that buys, pays, tells, refunds and gives back without an end, for a test that kills it in the middle. Settings come from the
// environment, the buyers from its arguments. Tells its parent when it begins, and ends when the parent is gone.
import { startCheckout } from "../../../core/shop/orders/checkout.ts";
import { refundPayment } from "../../../core/shop/orders/give-back.ts";
import { findAnyOrder } from "../../../core/shop/orders/list-orders.ts";
import { placeOrder } from "../../../core/shop/orders/place-order.ts";
import { refundOrder } from "../../../core/shop/orders/refund-order.ts";
import { takeCheckout } from "../../../core/shop/orders/take-checkout.ts";
import { openApp } from "../../../core/entry/start.ts";
import { loadConfig } from "../../../runtime/config/config.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { createMetrics } from "../../../runtime/ops/metrics.ts";

process.on("disconnect", () => process.exit());
const buyers = process.argv.slice(2);
const config = loadConfig();
const { app } = await openApp({
  config,
  log: createLog("silent", "shop"),
  metrics: createMetrics(),
  mongodbUri: config.mongodbUri ?? "",
});
const { demo } = app.payments;
if (!demo) throw new Error("this is about the demo provider");

async function buy(accountId: string, number: number): Promise<void> {
  const wanted = { kind: "credits", pack: "small" } as const;
  const placed = { idempotencyKey: app.newId("form"), expectedCents: 500, wanted };
  const { _id: orderId } = await placeOrder(app, accountId, placed);
  const { order } = await startCheckout(app, accountId, { orderId, expectedCents: 500 });
  const ref = order.provider_ref ?? "";
  await demo?.press({ ref, accountId, action: number % 5 === 4 ? "decline" : "pay", delivery: "never" });
  const checkout = await demo?.fetchCheckout(ref);
  if (checkout) await Promise.all([takeCheckout(app, order, checkout), takeCheckout(app, order, checkout)]);
  if (number % 3 === 0 && (await findAnyOrder(app, orderId)).state === "fulfilled")
    await refundOrder(app, orderId, "Not wanted.");
  await refundPayment(app);
}

process.send?.("up");
for (let number = 0; ; number++) await Promise.all(buyers.map((accountId) => buy(accountId, number)));
