// Whether an account's credits are low, so that a mail is due: once, until they have recovered. Pure.
import type { AccountDoc } from "../accounts/store.ts";

type Watched = Pick<AccountDoc, "balance" | "held"> & { readonly low?: AccountDoc["low"] | undefined };

/** After a step that only adds credits: once they are above the threshold, the next fall sends a mail. */
export function armLow({ low, balance, held }: Watched): Pick<AccountDoc, "low"> {
  return low?.told && balance - held >= low.below ? { low: { ...low, told: false } } : {};
}

/** The account, marked as notified, if it has fallen below its threshold without a mail so far. */
export function tellLow<Account extends Watched>(account: Account): Account | undefined {
  const { low, balance, held } = account;
  return low && !low.told && balance - held < low.below
    ? { ...account, low: { ...low, told: true } }
    : undefined;
}

export function lowMail({ low, balance, held }: Watched, baseUrl: string): { subject: string; text: string } {
  const available = balance - held;
  return {
    subject: `You have ${available} credits left`,
    text: [
      `Your account has ${available} credits left, fewer than the ${low?.below ?? 0} at which you asked us to tell you.`,
      "We tell you once, and again only after you have topped up. You can change this or switch it off on your Credits page.",
      `Your credits: ${baseUrl}/credits`,
    ].join("\n\n"),
  };
}
