// Changes the email address of an account: the form on the settings page, and the mailed links to /email/confirm and /email/undo. Opening a
// link changes nothing; pressing its button does, because mail scanners follow links.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import type { EmailLink } from "../../../proto/types/atelier/v1/EmailLink.ts";
import { addressSubject, networkSubject } from "../../../runtime/networks.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { button, linkButton } from "../design/button.ts";
import { type Markup, html } from "../design/markup.js";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { changeEmailMail, takenAddressMail } from "../session/notices.ts";
import { hashToken, isToken, newToken } from "../session/sign-in-link.ts";
import { narrow } from "../session/sign-in-pages.ts";

export const CONFIRM_PATH = "/email/confirm";
export const UNDO_PATH = "/email/undo";
const MAIL_RETRY_SECONDS = 30;

/**
 * Mails a link to the new address and returns the address as it would be stored. Only that mailbox learns whether another account has it.
 * Throws invalid_request, and service_unavailable if the mail cannot be sent.
 */
export async function askForEmail(
  request: FastifyRequest,
  { core, config, baseUrl }: GatewayOptions,
  email: string,
): Promise<string> {
  const { mailer } = request.server;
  if (!mailer) throw notSent("Mail is not set up on this installation.");
  const token = newToken();
  const network = config.rateLimits ? networkSubject(request.ip) : "";
  const wanted = { email, token_sha256: hashToken(token), network };
  const started = await core.sessions.StartEmailChange(wanted, personCall(request));
  // The response is always the same, so that a caller who uses up the quota of another person learns nothing.
  if (started.over_quota) return started.email;
  const mail = started.taken
    ? takenAddressMail()
    : changeEmailMail(`${baseUrl}${CONFIRM_PATH}?${new URLSearchParams({ token }).toString()}`);
  await mailer.send({ to: started.email, ...mail }).catch((error: unknown) => {
    request.log.error({ err: error, request_id: request.id }, "a link to a new address could not be mailed");
    throw notSent("The mail with the link could not be sent.");
  });
  return started.email;
}

function notSent(message: string): AppError {
  return new AppError("service_unavailable", {
    message,
    hint: "Try again in a moment.",
    retryAfterSeconds: MAIL_RETRY_SECONDS,
  });
}

/** Anyone who has the link may open these pages, signed in or not. */
export function emailLinkPages(app: GatewayApp, options: GatewayOptions): void {
  const { core, limits } = options;
  const querystring = z.object({ token: z.string().catch("") });
  for (const [path, kind] of [
    [CONFIRM_PATH, "change"],
    [UNDO_PATH, "undo"],
  ] as const) {
    app.get(path, { schema: { querystring } }, async (request, reply) => {
      const { token } = request.query;
      const link = await find(request, token, kind);
      if (!link) return page(reply, uselessEmailLink(kind), 400);
      return page(reply, confirmEmailPage({ action: path, token, link }));
    });

    app.post(path, async (request, reply) => {
      const attempt = await limits.count("signIn", addressSubject(request.ip));
      reply.headers(attempt.headers);
      limits.enforce(attempt);
      const token = formOf(request).get("token");
      const link = await find(request, token, kind);
      if (!link) return page(reply, uselessEmailLink(kind), 400);
      try {
        const used = await core.sessions.UseEmailLink({ token_sha256: hashToken(token) }, callOf(request));
        return await page(reply, emailDonePage(used));
      } catch (error) {
        if (!(error instanceof AppError) || !["invalid_link", "invalid_request"].includes(error.code))
          throw error;
        return page(reply, uselessEmailLink(kind), ERROR_TABLE[error.code].http);
      }
    });
  }

  async function find(request: FastifyRequest, token: string, kind: string): Promise<EmailLink | undefined> {
    if (!isToken(token)) return undefined;
    try {
      const link = await core.sessions.FindEmailLink({ token_sha256: hashToken(token) }, callOf(request));
      return link.kind === kind ? link : undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === "invalid_link") return undefined;
      throw error;
    }
  }
}

function callOf({ id, ip }: FastifyRequest) {
  return { requestId: id, address: ip };
}

type Titled = readonly [title: string, body: Markup];

function page(reply: FastifyReply, [title, body]: Titled, status = 200): FastifyReply {
  return renderPage(reply, {
    title,
    path: "/email",
    body: narrow(title, body),
    status,
    styles: ["account.css"],
  });
}

function confirmEmailPage({
  action,
  token,
  link: { kind, from, to },
}: {
  action: string;
  token: string;
  link: EmailLink;
}): Titled {
  const isUndo = kind === "undo";
  return [
    isUndo ? "Take your account back" : "Confirm your new address",
    html`<p class="lead">
        ${
          isUndo
            ? html`The address of your account was changed from <strong>${to}</strong> to${" "}
                <strong>${from}</strong>. Change it back?`
            : html`Give the account of <strong>${from}</strong> the address <strong>${to}</strong>?`
        }
      </p>
      ${isUndo && html`<p>Everyone who is signed in to the account is signed out, including you.</p>`}
      <form class="stack" method="post" action=${action}>
        <input type="hidden" name="token" value=${token} />
        ${button({ label: isUndo ? "Bring the old address back" : "Use this address" })}
      </form>
      <p class="note">
        ${
          isUndo
            ? "If you changed the address yourself, close this page: nothing happens."
            : "If this is not your account, or you did not ask for it, close this page: nothing happens."
        }
      </p>`,
  ];
}

function emailDonePage({ kind, from, to }: EmailLink): Titled {
  return kind === "undo"
    ? [
        "Your address is back",
        html`<p class="lead">
            The account has the address <strong>${to}</strong> again, and everyone is signed out.
          </p>
          <p>Sign in now, and revoke keys that you did not create.</p>
          <p>${linkButton({ href: "/sign-in?next=/account/keys", label: "Sign in" })}</p>`,
      ]
    : [
        "Your address is changed",
        html`<p class="lead">
            From now on you sign in with <strong>${to}</strong>. Where you are signed in, you stay so.
          </p>
          <p>We have written to ${from}: from there it can be undone for seven days.</p>
          <p>${linkButton({ href: "/account", label: "Settings" })}</p>`,
      ];
}

function uselessEmailLink(kind: "change" | "undo"): Titled {
  const title = "This link cannot be used";
  return kind === "undo"
    ? [
        title,
        html`<p class="lead">It was used before, has expired after seven days, or is not complete.</p>
          <p>If you cannot sign in to your account any more, write to support.</p>
          <p class="cluster">
            ${linkButton({ href: "/sign-in", label: "Sign in" })}
            ${linkButton({ href: "/help", label: "Write to support", kind: "quiet" })}
          </p>`,
      ]
    : [
        title,
        html`<p class="lead">
            It was used before, has expired after an hour, is not complete, a newer one was sent, or another
            account has the address.
          </p>
          <p>Your settings show which address you have, and mail a new link.</p>
          <p>${linkButton({ href: "/account", label: "Settings" })}</p>`,
      ];
}
