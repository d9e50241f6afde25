// The demo provider's decisions: how its events are signed and read, and when they are sent. This file is pure.
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Secrets } from "../../../runtime/keys/secret.ts";
import type { Schedule } from "../../base/work/rules.ts";
import { BadSignature, type EventHeaders, type PaymentEvent } from "./provider.ts";

export const DEMO_SIGNATURE = "atelier-demo-signature";
/** An event that was signed longer ago may be a recorded copy. */
const TOLERANCE_MS = 5 * 60_000;

/** How a checkout sends its events. */
export const DEMO_DELIVERIES = ["once", "twice", "late", "never"] as const;
export type DemoDelivery = (typeof DEMO_DELIVERIES)[number];
/** The delay of a late event. */
export const LATE_MS = 20_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** After this time the event is given up, and its subject is found by asking the provider. */
export const DEMO_SCHEDULE: Schedule = {
  waitsMs: [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS],
};

const period = z.object({ from: z.coerce.date(), until: z.coerce.date() });
const payment = z.object({
  ref: z.string().min(1),
  amountCents: z.number().int(),
  taxCents: z.number().int(),
  currency: z.string(),
  at: z.coerce.date(),
  period: period.optional(),
});
const subscription = { subscriptionRef: z.string(), subscriptionId: z.string().nullable() };
const facts = { checkoutRef: z.string(), orderId: z.string().nullable(), accountId: z.string().nullable() };
const eventSchema = z.object({
  id: z.string().min(1),
  at: z.coerce.date(),
  news: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("paid"),
      ...facts,
      payment,
      subscriptionRef: z.string().nullable(),
    }),
    z.object({ kind: z.enum(["declined", "expired"]), ...facts }),
    z.object({
      kind: z.literal("refunded"),
      paymentRef: z.string(),
      amountCents: z.number().int(),
      isWhole: z.boolean(),
    }),
    z.object({ kind: z.enum(["dispute_opened", "dispute_won", "dispute_lost"]), paymentRef: z.string() }),
    z.object({ kind: z.literal("renewed"), ...subscription, payment: payment.extend({ period }) }),
    z.object({
      kind: z.literal("change_paid"),
      ...subscription,
      payment,
      priceCents: z.number().int().optional(),
    }),
    z.object({ kind: z.enum(["renewal_failed", "subscription_ended"]), ...subscription }),
    z.object({
      kind: z.literal("subscription_changed"),
      ...subscription,
      paidUntil: z.coerce.date(),
      endsThen: z.boolean(),
    }),
  ]),
});
const bodySchema = z.object({ id: z.string().min(1), at: z.coerce.date() });

export function demoHeaders(body: string, [secret]: Secrets, at: Date): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return { [DEMO_SIGNATURE]: `t=${timestamp},v1=${sign(body, secret, timestamp)}` };
}

/** Throws BadSignature. A signed event of an unknown type is `other`. */
export function readDemoEvent(
  rawBody: Uint8Array,
  headers: EventHeaders,
  { secrets, now }: { secrets: Secrets; now: Date },
): PaymentEvent {
  const [, time = "", sent = ""] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers[DEMO_SIGNATURE] ?? "") ?? [];
  if (time === "") throw new BadSignature("there is no signature");
  const body = Buffer.from(rawBody).toString("utf8");
  const given = Buffer.from(sent, "hex");
  const isOurs = secrets.some((secret) =>
    timingSafeEqual(Buffer.from(sign(body, secret, Number(time)), "hex"), given),
  );
  if (!isOurs) throw new BadSignature("the signature is not ours");
  if (Math.abs(now.getTime() - Number(time) * 1000) > TOLERANCE_MS)
    throw new BadSignature("the event was signed too long ago");
  const json: unknown = JSON.parse(body);
  const known = eventSchema.safeParse(json);
  return known.success ? known.data : { ...bodySchema.parse(json), news: { kind: "other", what: "unknown" } };
}

/** How often an event is sent, and when first; undefined means never. */
export function planDelivery(delivery: DemoDelivery, now: Date): { times: number; at: Date } | undefined {
  if (delivery === "never") return undefined;
  return {
    times: delivery === "twice" ? 2 : 1,
    at: delivery === "late" ? new Date(now.getTime() + LATE_MS) : now,
  };
}

/** The key is derived for this purpose alone: nothing else that the installation signs can pass for an event. */
function sign(body: string, secret: string, timestamp: number): string {
  const key = createHmac("sha256", secret).update("demo payments").digest();
  return createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
}
