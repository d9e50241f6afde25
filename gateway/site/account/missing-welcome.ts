// Explains to a person on the free plan why the free credits are missing.
import type { Markup } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";

const REASONS: Readonly<Record<string, string>> = {
  held: "Your free credits come with your first purchase, or once we have approved your account.",
  elsewhere: "Another account with your mailbox has the free credits, so none come to this one.",
  later:
    "A deleted account with your mailbox had this month’s free credits, so yours begin with the next month.",
};

/** `reason` is core's reason; an empty string means none. */
export function missingWelcomeNotice(reason: string): Markup | undefined {
  const title = REASONS[reason];
  return title === undefined ? undefined : standingNotice({ tone: "info", title });
}
