// The pages that mailed links for changing the email address open.
import type { EmailLink } from "../../../proto/types/atelier/v1/EmailLink.ts";
import { button, linkButton } from "../design/button.ts";
import { html, type Markup } from "../design/markup.js";

type TitledBody = { title: string; body: Markup };

export function confirmEmailPage({
  action,
  token,
  link: { kind, from, to },
}: {
  action: string;
  token: string;
  link: EmailLink;
}): TitledBody {
  const isUndo = kind === "undo";
  return narrow(
    isUndo ? "Take your account back" : "Confirm your new address",
    html`<p class="lead">
        ${
          isUndo
            ? html`Your account has the address <strong>${from}</strong>. Give it back its address${" "}
                <strong>${to}</strong>?`
            : html`Give the account of <strong>${from}</strong> the address <strong>${to}</strong>?`
        }
      </p>
      ${isUndo && html`<p>Everybody who is signed in to the account is signed out, you too.</p>`}
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
  );
}

export function emailDonePage({ kind, from, to }: EmailLink): TitledBody {
  return kind === "undo"
    ? narrow(
        "Your address is back",
        html`<p class="lead">
            The account has the address <strong>${to}</strong> again, and everybody is signed out.
          </p>
          <p>Sign in now, and look whether there are keys that you did not create.</p>
          <p>${linkButton({ href: "/sign-in?next=/account/keys", label: "Sign in" })}</p>`,
      )
    : narrow(
        "Your address is changed",
        html`<p class="lead">
            From now on you sign in with <strong>${to}</strong>. Where you are signed in, you stay so.
          </p>
          <p>We have written to ${from}: from there it can be undone for seven days.</p>
          <p>${linkButton({ href: "/account", label: "Settings" })}</p>`,
      );
}

export function uselessEmailLink(): TitledBody {
  return narrow(
    "This link cannot be used",
    html`<p class="lead">It has expired, was used before, is not complete, or a newer one was sent.</p>
      <p>${linkButton({ href: "/account", label: "Settings" })}</p>`,
  );
}

function narrow(title: string, body: Markup): TitledBody {
  return {
    title,
    body: html`<section class="sign-in stack stack--loose">
      <h1>${title}</h1>
      ${body}
    </section>`,
  };
}
