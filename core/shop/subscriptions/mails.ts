// Mails about subscriptions: each names amount, period and end. Receipts report payments. This file is pure: a subscription in, text out.
import type { LocalTimes } from "../../../runtime/local-times.ts";
import { dollars } from "../../../runtime/money.ts";
import type { MailWords } from "../../kernel/mail/queue.ts";
import { REASONS } from "./rules.ts";
import type { Offer, SubscriptionDoc } from "./store.ts";

export type MailNames = {
  readonly name: string;
  /** The price after the change with the next period. */
  readonly nextName: string;
};

/** About the last thing that happened; undefined if that needs no mail. */
export function subscriptionMail(
  subscription: SubscriptionDoc,
  names: MailNames,
  { baseUrl, times }: { baseUrl: string; times: LocalTimes },
): MailWords | undefined {
  const last = subscription.events.at(-1);
  const words = last && wordsOf(subscription, names, { last, times });
  if (!words) return undefined;
  const { kind } = subscription;
  return {
    kind: `subscription.${last.type}`,
    subject: words.subject,
    text: `${words.text}\n\nYour ${kind}: ${baseUrl}/account/${kind}\n`,
  };
}

function wordsOf(
  subscription: SubscriptionDoc,
  { name, nextName }: MailNames,
  { last: { type, note }, times }: { last: SubscriptionDoc["events"][number]; times: LocalTimes },
): { subject: string; text: string } | undefined {
  const { period_end, grace_until, next_change, state } = subscription;
  const price = perPeriod(subscription);
  const until = times.day(period_end);
  const grace = times.day(grace_until ?? period_end);
  const goesOn = `The next charge is ${price} on ${until}, and every ${subscription.interval} after that until you cancel.`;
  switch (type) {
    case "cancelled":
      return {
        subject: `Your ${name} ends on ${until}`,
        text: `You have cancelled your ${name} (${price}). It stays yours until ${until}, and nothing more is charged.\n\nIf you change your mind before then, you can keep it with one press.`,
      };
    case "resumed":
      return {
        subject: `Your ${name} continues`,
        text: `Good to have you back: your ${name} continues. ${goesOn}`,
      };
    case "changed":
      return {
        subject: `You have the ${name} now`,
        text: `Your change is done: you have the ${name} now, paid until ${until}. ${goesOn}`,
      };
    case "change_planned":
      return {
        subject: `Your ${name} changes on ${until}`,
        text: `You keep your ${name} until ${until}. Then it changes to the ${nextName}${next_change ? ` for ${perPeriod(next_change)}` : ""}, until you cancel.`,
      };
    case "change_dropped":
      return {
        subject: `Your ${name} stays as it is`,
        text: `The planned change is cancelled. Your ${name} stays as it is. ${goesOn}`,
      };
    case "payment_failed":
      return {
        subject: `The payment for your ${name} did not go through`,
        text: `The payment of ${price} for your ${name}, which was due on ${until}, did not go through. You keep it until ${grace}, and we will try again until then.\n\nPlease make sure that your card can be charged.`,
      };
    case "reminded":
      return {
        subject: `Your ${name} ends on ${grace}`,
        text: `The payment of ${price} for your ${name}, which was due on ${until}, has not come through yet. It ends on ${grace} unless it is paid before then.`,
      };
    case "ended":
      return state === "ended" && note !== REASONS.refunded
        ? {
            subject: `Your ${name} has ended`,
            text: `Your ${name} (${price}) has ended; it was paid until ${until}. Nothing more is charged. ${note ?? ""}`.trimEnd(),
          }
        : undefined;
    default:
      return undefined;
  }
}

function perPeriod({ price_cents, interval }: Pick<Offer, "price_cents" | "interval">): string {
  return `${dollars(price_cents)} a ${interval}`;
}
