// The pages of signing in: requesting a link, the sent mail, the confirmation, and invalid links.
import { linkButton, button } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { notice, standingNotice } from "../design/notice.ts";
import { passkeyForm } from "./passkeys.ts";

/** A Map, because the name is part of an address: objects have names of their own, such as "constructor". */
const ENDED_WORDS: ReadonlyMap<string, { title: string; body: string }> = new Map([
  ["kept", { title: "Your session had ended.", body: "Sign in to go on. What you typed is kept." }],
  [
    "visitor",
    {
      title: "One step left.",
      body: "Sign in, or open an account with your email address. What you asked for is made right after.",
    },
  ],
]);

export function askForLink({
  email = "",
  next,
  again = false,
  ended = "",
  isRefused = false,
  error,
}: {
  email?: string;
  next: string;
  /**
   * The session has ended: `kept` if what was typed is kept, another text if there was nothing to keep; `visitor` if there was no session, and
   * what was asked for is made after signing in.
   */
  ended?: string;
  /** The person is signed in, but not recently enough for the action. */
  again?: boolean;
  /** A passkey was refused. */
  isRefused?: boolean;
  error?: string;
}): Markup {
  return narrow(
    again ? "Sign in again" : "Sign in",
    html`${
        ended !== "" &&
        standingNotice({
          tone: "info",
          ...(ENDED_WORDS.get(ended) ?? { title: "Your session had ended.", body: "Sign in to go on." }),
        })
      }
      ${
        isRefused &&
        notice({
          tone: "danger",
          title: "This passkey doesn’t work here.",
          body: "Try again, or have a code mailed to you.",
        })
      }
      <p class="lead">
        ${
          again
            ? "To protect your account, this step needs a recent sign-in. We’ll email you a code that brings you back here."
            : "Enter your email and we’ll send you a code and a link. No password, and if you’re new, we’ll create your account."
        }
      </p>
      <form class="stack" method="post" action="/sign-in">
        ${textField({
          name: "email",
          label: "Email address",
          type: "email",
          value: email,
          autocomplete: "email",
          maxLength: 254,
          required: true,
          isFirst: true,
          error,
        })}
        <input type="hidden" name="next" value=${next} />
        ${button({ label: "Email me a code" })}
      </form>
      ${passkeyForm({
        action: "/sign-in/passkey",
        start: "/sign-in/passkey/start",
        body: html`<input type="hidden" name="next" value=${next} />
          ${button({ label: "Sign in with a passkey", kind: "quiet" })}`,
      })}`,
  );
}

export function linkSent({
  email,
  next,
  link,
  browser,
  code,
  error,
}: {
  email: string;
  next: string;
  /** The SHA-256 of the link's token, by which core finds the code. */
  link: string;
  /** The proof that this browser requested the link. */
  browser: string;
  /** What was typed, where it can be sent again. */
  code?: string | undefined;
  /** Why the typed code was refused. */
  error?: string | undefined;
}): Markup {
  return narrow(
    "Check your email",
    html`<p class="lead">
        We’ve sent a code and a link to <strong>${email}</strong>. Either works once, for 15 minutes.
      </p>
      <form class="stack" method="post" action="/sign-in/code">
        ${textField({
          name: "code",
          label: "Code",
          value: code,
          hint: "Eight digits. Or open the link in the email.",
          autocomplete: "one-time-code",
          inputMode: "numeric",
          maxLength: 20,
          required: true,
          isFirst: true,
          error,
        })}
        <input type="hidden" name="email" value=${email} />
        <input type="hidden" name="link" value=${link} />
        <input type="hidden" name="browser" value=${browser} />
        <input type="hidden" name="next" value=${next} />
        ${button({ label: "Sign in" })}
      </form>
      <p>Nothing there? Look in your spam folder, and check the address for typos.</p>
      <form class="cluster" method="post" action="/sign-in">
        <input type="hidden" name="email" value=${email} />
        <input type="hidden" name="next" value=${next} />
        ${button({ label: "Send another email", kind: "quiet" })}
        <a href=${next === "" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`}
          >Use a different address</a
        >
      </form>`,
  );
}

/**
 * The page names the account, so that no one follows a link of another person into that person's account without noticing. It has a button,
 * because programs that look through mail follow links, but press nothing.
 */
export function confirmSignIn({
  token,
  browser,
  isHere,
  next,
  email,
  leaving,
}: {
  token: string;
  /** How the link describes the browser that requested it. */
  browser: string;
  /** Whether it is this browser. */
  isHere: boolean;
  next: string;
  email: string;
  /** The person who is signed in now. */
  leaving: string | undefined;
}): Markup {
  return narrow(
    "Sign in to Atelier",
    html`<p class="lead">Sign in as <strong>${email}</strong> in this browser?</p>
      ${leaving !== undefined && leaving !== email && html`<p>You are signed in as <strong>${leaving}</strong> now; this will sign you out of that account.</p>`}
      ${
        !isHere &&
        standingNotice({
          tone: "warning",
          title: "This link was requested in another browser.",
          body: "Continue only if you requested it yourself, for example on your computer while you read mail on your phone.",
        })
      }
      <form class="stack" method="post" action="/sign-in/confirm">
        <input type="hidden" name="token" value=${token} />
        <input type="hidden" name="email" value=${email} />
        <input type="hidden" name="browser" value=${browser} />
        <input type="hidden" name="next" value=${next} />
        ${!isHere && html`<input type="hidden" name="other_browser" value="yes" />`}
        ${button({ label: isHere ? "Sign in" : "Sign in here" })}
      </form>
      <p class="note">
        Not your address, or you didn’t ask for this link? Close this page. Anything you did here would land
        in someone else’s account.
      </p>`,
  );
}

export function unusableLink(): Markup {
  return narrow(
    "This link no longer works",
    html`<p class="lead">
        It has expired, was already used, or a newer one was sent. Each link works once, for 15 minutes.
      </p>
      <p>${linkButton({ href: "/sign-in", label: "Get a new link" })}</p>`,
  );
}

export function noMail(): Markup {
  return narrow(
    "Sign in",
    standingNotice({
      tone: "warning",
      title: "Sign-in by email is not set up.",
      body: "This site cannot send email. Its operator has to set that up first.",
    }),
  );
}

/** A page of few words, such as those around signing in. */
export function narrow(title: string, body: Markup): Markup {
  return html`<section class="sign-in stack stack--loose">
    <h1>${title}</h1>
    ${body}
  </section>`;
}
