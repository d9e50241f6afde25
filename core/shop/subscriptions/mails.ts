// Mails about subscriptions. Pure: a subscription in, words out. Of each payment the receipt tells.
import { REASONS } from "./reasons.ts";
import type { SubscriptionDoc } from "./store.ts";

export type SubscriptionMail = { kind: string; subject: string; text: string };

/** About the last thing that happened; undefined where that needs no mail. */
export function subscriptionMail(
  subscription: SubscriptionDoc,
  name: string,
  baseUrl: string,
): SubscriptionMail | undefined {
  const last = subscription.events.at(-1);
  const words = last && wordsOf(subscription, name, last);
  if (!words) return undefined;
  return {
    kind: `subscription.${last.type}`,
    subject: words.subject,
    text: `${words.text}\n\nYour ${subscription.kind}: ${baseUrl}/account/${subscription.kind}\n`,
  };
}

function wordsOf(
  { period_end, grace_until, next_change, state }: SubscriptionDoc,
  name: string,
  { type, note }: SubscriptionDoc["events"][number],
): { subject: string; text: string } | undefined {
  const until = day(period_end);
  const grace = day(grace_until ?? period_end);
  switch (type) {
    case "cancelled":
      return {
        subject: `Your ${name} ends on ${until}`,
        text: `You have cancelled your ${name}. It stays yours until ${until}, and nothing more is charged.\nIf you change your mind before then, you can keep it with one press.`,
      };
    case "resumed":
      return {
        subject: `Your ${name} continues`,
        text: `Good to have you back: your ${name} continues. The next charge is on ${until}.`,
      };
    case "changed":
      return {
        subject: `You have the ${name} now`,
        text: `Your change is done: you have the ${name} now, paid until ${until}.`,
      };
    case "change_planned":
      return {
        subject: `Your ${name} changes on ${until}`,
        text: `You keep your ${name} until ${until}. Then it changes to ${next_change?.what ?? "another one"}.`,
      };
    case "change_dropped":
      return {
        subject: `Your ${name} stays as it is`,
        text: `The planned change is cancelled. Your ${name} stays as it is.`,
      };
    case "payment_failed":
      return {
        subject: `The payment for your ${name} did not go through`,
        text: `The payment for your ${name} did not go through. You keep it until ${grace}, and we will try again until then.\nPlease make sure that your card can be charged.`,
      };
    case "reminded":
      return {
        subject: `Your ${name} ends on ${grace}`,
        text: `The payment for your ${name} has not come through yet. It ends on ${grace} unless it is paid before then.`,
      };
    case "ended":
      return state === "ended" && note !== REASONS.refunded
        ? { subject: `Your ${name} has ended`, text: `Your ${name} has ended. ${note ?? ""}`.trimEnd() }
        : undefined;
    default:
      return undefined;
  }
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

function day(at: Date): string {
  return DAY.format(at);
}
