// Mails about changes of an account, so that its owner notices changes made by someone else.
import type { FastifyRequest } from "fastify";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import { localTimes } from "../../../runtime/local-times.ts";
import type { Mailer } from "../../../runtime/mail.ts";
import { browserName } from "./browser-name.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The mailer of the website; undefined if mail is not configured. */
    mailer: Mailer | undefined;
  }
}

export type Notice = { readonly subject: string; readonly text: string };

/** The request does not wait for the mail, and the change stands even if sending fails. */
export function sendNotice(request: FastifyRequest, to: string, notice: Notice): void {
  request.server.mailer?.send({ to, ...notice }).catch((error: unknown) => {
    request.log.warn({ err: error, request_id: request.id }, "a notice could not be mailed");
  });
}

export function newKeyNotice(request: FastifyRequest, key: ApiKeyResource, baseUrl: string): Notice {
  const may = key.scope === "write" ? "read and write, which spends credits" : "read";
  return {
    subject: "A new API key of your Atelier account",
    text: `A key was made for your account:

  Name      ${key.name}
  Key       ${key.masked}
  It may    ${may}
${where(request, request.person.timeZone)}

If that was not you, revoke it, and sign out the sessions that are not yours at ${baseUrl}/account/sessions

Your keys: ${baseUrl}/account/keys
`,
  };
}

export function newSessionNotice(request: FastifyRequest, baseUrl: string, timeZone: string): Notice {
  return {
    subject: "A new sign-in to your Atelier account",
    text: `Someone signed in to your account from a browser or network that we have not seen before:

${where(request, timeZone)}

If that was not you, sign that session out, remove passkeys that are not yours, and secure your mailbox: anyone who can read it can sign in.

Your sessions: ${baseUrl}/account/sessions
`,
  };
}

export function newPasskeyNotice(request: FastifyRequest, name: string, baseUrl: string): Notice {
  return {
    subject: "A new passkey of your Atelier account",
    text: `A passkey was added to your account. The device that holds it can sign in:

  Name      ${name}
${where(request, request.person.timeZone)}

If that was not you, remove it in your settings, and sign out the sessions that are not yours at ${baseUrl}/account/sessions

Your settings: ${baseUrl}/account
`,
  };
}

/** To the future address of an account. */
export function changeEmailMail(url: string): Notice {
  return {
    subject: "Confirm your new email address",
    text: `Open this link to give your Atelier account this email address. It works once, for an hour.

Use this address: ${url}

If you did not ask for this, you can ignore this mail: nothing changes unless the link is opened.
`,
  };
}

/** To an address that someone wants for another account. */
export function takenAddressMail(): Notice {
  return {
    subject: "Your email address has an Atelier account",
    text: `Someone tried to use this email address for another account. It already belongs to an account, so nothing was changed.

If that was you, sign in with this address instead, or delete that account first.
`,
  };
}

/** To a former address with which someone tries to sign in. */
export function givenUpMail(): Notice {
  return {
    subject: "This email address no longer opens your Atelier account",
    text: `You asked for a link to sign in, but the account was moved to another email address a few days ago.

If that was your doing, sign in with the new address. If not, use the link to undo it in the mail that we sent you at the time.
`,
  };
}

export function deletedNotice(): Notice {
  return {
    subject: "Your Atelier account is deleted",
    text: `Your account was deleted, as you asked, and cannot be brought back. This is the last mail you get from us.
`,
  };
}

function where(request: FastifyRequest, timeZone: string): string {
  return `  Browser   ${browserName((request.headers["user-agent"] ?? "").slice(0, 200))}
  Address   ${request.ip}
  Time      ${localTimes(timeZone || undefined).time(new Date())}`;
}
