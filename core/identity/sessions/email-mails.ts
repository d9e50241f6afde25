// Mails about a changed e-mail address. Pure.
import type { LocalTimes } from "../../../runtime/local-times.ts";

type Mail = { kind: string; subject: string; text: string };

/** To the former address. */
export function changedMail(
  { from, to, until, token }: { from: string; to: string; until: Date; token: string },
  { baseUrl, times }: { baseUrl: string; times: LocalTimes },
): Mail {
  return {
    kind: "account.email_changed",
    subject: "Your Atelier account has another email address",
    text: `Your account had the address ${from}. From now on it has this one:

  ${to}

If you did that, there is nothing to do, and this is the last mail about your account to this address.

If you did not, take your account back before ${times.time(until)}:

Take your account back: ${baseUrl}/email/undo?token=${token}

It brings the address back and signs everybody out.
`,
  };
}

/** To the restored address. */
export function restoredMail(email: string, baseUrl: string): Mail {
  return {
    kind: "account.email_restored",
    subject: "Your Atelier account has its email address back",
    text: `Your account has the address ${email} again, and everybody was signed out.

Sign in and look whether there are keys that you did not make.

Your keys: ${baseUrl}/account/keys
`,
  };
}
