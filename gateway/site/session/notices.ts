// Mails that tell a person what was done with the account, so that whoever did it without them does not go unnoticed.
import type { FastifyRequest } from "fastify";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { Mailer } from "../../../runtime/mail.ts";
import { browserName } from "./browser-name.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Of the website; undefined where there is no way to send mail. */
    mailer: Mailer | undefined;
  }
}

export type Notice = { readonly subject: string; readonly text: string };

/** Nobody waits for it, and what was done stands whether it is sent or not. */
export function sendNotice(request: FastifyRequest, to: string, notice: Notice): void {
  request.server.mailer?.send({ to, ...notice }).catch((error: unknown) => {
    request.log.warn({ err: error }, "a notice could not be mailed");
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
${where(request)}

If that was not you, revoke it at ${baseUrl}/account/keys
and end the sessions that are not yours at ${baseUrl}/account/sessions
`,
  };
}

export function newSessionNotice(request: FastifyRequest, baseUrl: string): Notice {
  return {
    subject: "A new sign-in to your Atelier account",
    text: `Somebody signed in to your account with a link from this mailbox, in a browser or a network that was not seen before:

${where(request)}

If that was not you, end the session at ${baseUrl}/account/sessions
and look after your mailbox: whoever reads it can sign in.
`,
  };
}

/** To the address that an account is to have. */
export function changeEmailMail(url: string): Notice {
  return {
    subject: "Confirm your new e-mail address",
    text: `Open this link to give your Atelier account this e-mail address. It works once, for an hour:

${url}

If you did not ask for it, you need not do anything: nothing changes without it.
`,
  };
}

/** To an address that somebody wants for another account. */
export function takenAddressMail(): Notice {
  return {
    subject: "Your e-mail address has an Atelier account",
    text: `Somebody asked to give another account this e-mail address. It has an account of its own, so nothing was changed.

If that was you, sign in with this address, or delete its account first.
`,
  };
}

/** To an address from which somebody asks to sign in after it was given up. */
export function givenUpMail(): Notice {
  return {
    subject: "This e-mail address does not open your Atelier account any more",
    text: `You asked for a link to sign in. The account that had this e-mail address has another one since a few days.

If you changed that, sign in with the new address. If you did not, open the link to undo it in the mail that we sent you then.
`,
  };
}

export function deletedNotice(): Notice {
  return {
    subject: "Your Atelier account is deleted",
    text: `Your account was deleted, as you asked. Nobody can bring it back. This is the last mail about it.
`,
  };
}

function where(request: FastifyRequest): string {
  return `  Browser   ${browserName((request.headers["user-agent"] ?? "").slice(0, 200))}
  Address   ${request.ip}
  Time      ${new Date().toUTCString()}`;
}
