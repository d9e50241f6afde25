// The pages of signing in: asking for a link, what was sent, confirming it, and a link that is good for nothing.
import { linkButton, button } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { notice } from "../design/notice.ts";
import { html, type Markup } from "../design/markup.js";

export function askForLink({
  email = "",
  next,
  again = false,
  error,
}: {
  email?: string;
  next: string;
  /** The person is signed in, and not freshly enough for what they were about to do. */
  again?: boolean;
  error?: string;
}): Markup {
  return narrow(
    again ? "Sign in again" : "Sign in",
    html`<p class="lead">
        ${
          again
            ? "What you are about to do asks for a sign-in that is no older than a day. We send you a link that leads back to it."
            : "We send you a link. There is no password, and an account is made for you if you have none."
        }
      </p>
      <form class="stack" method="post" action="/sign-in">
        ${textField({
          name: "email",
          label: "E-mail address",
          type: "email",
          value: email,
          autocomplete: "email",
          maxLength: 254,
          required: true,
          error,
        })}
        <input type="hidden" name="next" value=${next} />
        ${button({ label: "Send me a link" })}
      </form>`,
  );
}

export function linkSent(email: string): Markup {
  return narrow(
    "Look into your mail",
    html`${notice({
        tone: "success",
        title: `A link is on its way to ${email}.`,
        body: "It works once, for 15 minutes, in this browser or any other. If several have come, open the newest.",
      })}
      <p>Nothing there? Look among what was sorted out as spam, and check the address for typing errors.</p>
      <p><a href="/sign-in">Use another address</a></p>`,
  );
}

/**
 * It names the account, so that nobody signs in to somebody else's without noticing, whoever sent the link. A button, because programs
 * that look through mail follow links, but press nothing.
 */
export function confirmSignIn({
  token,
  next,
  email,
  leaving,
}: {
  token: string;
  next: string;
  email: string;
  /** Who is signed in now. */
  leaving: string | undefined;
}): Markup {
  return narrow(
    "Sign in to Atelier",
    html`<p class="lead">Sign in as <strong>${email}</strong> in this browser?</p>
      ${leaving !== undefined && leaving !== email && html`<p>You are signed in as <strong>${leaving}</strong>, and would leave that account.</p>`}
      <form class="stack" method="post" action="/sign-in/confirm">
        <input type="hidden" name="token" value=${token} />
        <input type="hidden" name="next" value=${next} />
        ${button({ label: "Sign in" })}
      </form>
      <p class="note">
        If this is not your address, or you did not ask for the link, close this page: what you do after
        signing in would be done in that account.
      </p>`,
  );
}

export function unusableLink(): Markup {
  return narrow(
    "This link cannot be used",
    html`<p class="lead">
        It has expired, was used before, is not complete, or a newer one was sent. Each link works once, for
        15 minutes.
      </p>
      <p>${linkButton({ href: "/sign-in", label: "Ask for a new link" })}</p>`,
  );
}

export function noMail(): Markup {
  return narrow(
    "Sign in",
    notice({
      tone: "warning",
      title: "Signing in by e-mail is not set up on this installation.",
      body: "Its operator has to name a mail server first.",
      isNews: false,
    }),
  );
}

function narrow(title: string, body: Markup): Markup {
  return html`<section class="sign-in stack stack--loose">
    <h1>${title}</h1>
    ${body}
  </section>`;
}
