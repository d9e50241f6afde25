// The contents of the settings page.
import type { AppError } from "../../../proto/codes.ts";
import type { Billing } from "../../../proto/types/atelier/v1/Billing.ts";
import type { EmailChange } from "../../../proto/types/atelier/v1/EmailChange.ts";
import type { Passkey } from "../../../proto/types/atelier/v1/Passkey.ts";
import { button, linkButton } from "../design/button.ts";
import { textArea, textField } from "../design/field.ts";
import { counted, credits } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { notice, standingNotice } from "../design/notice.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Person } from "../session/current-person.ts";
import { actionForm, csrfField, facts } from "./account-frame.ts";
import { missingWelcomeNotice } from "./missing-welcome.ts";
import { passkeysPart } from "./passkeys.ts";

export type SettingsInfo = {
  plan: string;
  /** The name of the membership tier; absent without a membership. */
  membership: string | undefined;
  available: number;
  /** Why the free credits of the plan are missing; empty if they are not. */
  missingWelcome: string;
  /** The number of active keys. */
  keys: number;
  sessions: number;
  change: EmailChange;
  passkeys: readonly Passkey[];
  /** What a new passkey is called until its owner names it. */
  browser: string;
  billing: Billing;
};

export type SettingsNotice = {
  done?: "name" | "billing" | "passkey" | "passkey-removed";
  /** The address to which a confirmation link was mailed. */
  mailedTo?: string;
  refusal?: AppError;
  /** The typed values that were refused. */
  typed?: { name?: string; email?: string; passkey?: string; billing?: Billing };
};

export function settingsBody(person: Person, view: SettingsInfo, news: SettingsNotice): Markup {
  return html`${noticeBanner(news)} ${changedNotice(person, view.change)}
  ${missingWelcomeNotice(view.missingWelcome)} ${nameForm(person, news)}
  ${emailForm(person, view.change, news)} ${passkeysPart(person, view.passkeys, passkeyName(view, news))}
  ${billingForm(person, view, news)} ${accountInfo(person, view)} ${sessionsPart(view)} ${dataPart(person)}`;
}

function passkeyName({ browser }: SettingsInfo, { typed, refusal }: SettingsNotice) {
  const error = typed?.passkey === undefined ? undefined : issueAt(refusal, "name");
  return { value: typed?.passkey ?? browser, error };
}

const DONE = {
  name: "Your name is saved.",
  billing: "Your invoice details are saved.",
  passkey: "Your passkey is added. Use it the next time you sign in.",
  "passkey-removed": "The passkey is removed.",
} as const;

function noticeBanner({ done, mailedTo, refusal }: SettingsNotice): Markup | undefined {
  if (done) return notice({ tone: "success", title: DONE[done] });
  if (mailedTo !== undefined)
    return notice({
      tone: "success",
      title: `We’ve sent a link to ${mailedTo}.`,
      body: "Open it there to confirm that the mailbox is yours. It works once, for an hour; until then nothing changes.",
    });
  if (refusal?.code === "not_found")
    return notice({ tone: "info", title: "This passkey is not in your list any more." });
  const passkey = refusal?.issues?.find(({ path }) => path === "passkey");
  if (passkey)
    return notice({ tone: "danger", title: "Your passkey was not added.", body: `It ${passkey.message}.` });
  return refusal && refusalNotice(refusal);
}

/** Every signed-in browser shows the change for as long as it can be undone. */
function changedNotice({ email }: Person, change: EmailChange): Markup | undefined {
  const { previous_email, changed_at = "", undo_until = "" } = change;
  if (previous_email === undefined) return undefined;
  return standingNotice({
    tone: "warning",
    title: html`The email address was changed on ${dateOf(changed_at)}.`,
    body: html`<p>
      From <strong>${previous_email}</strong> to <strong>${email}</strong>. Was it not you? Then open the link
      in the mail that we sent to the old address, before ${timeOf(undo_until)}.
    </p>`,
  });
}

function nameForm(person: Person, news: SettingsNotice): Markup {
  return html`<section class="card stack" aria-labelledby="name-heading">
    <h2 id="name-heading">Name</h2>
    <form class="settings__row" method="post" action="/account/name">
      ${csrfField(person)}
      ${textField({
        name: "name",
        label: "What you are called here",
        value: news.typed?.name ?? person.name,
        maxLength: 100,
        autocomplete: "name",
        required: true,
        error: news.typed?.name === undefined ? undefined : issueAt(news.refusal, "name"),
      })}
      ${button({ label: "Save", of: "the name", kind: "quiet" })}
    </form>
  </section>`;
}

function emailForm(person: Person, change: EmailChange, news: SettingsNotice): Markup {
  const { wanted_email, wanted_until = "" } = change;
  return html`<section class="card stack" aria-labelledby="email-heading">
    <h2 id="email-heading">Email address</h2>
    <p>You sign in with <strong>${person.email}</strong>.</p>
    ${
      wanted_email !== undefined &&
      html`<p class="note">
        ${wanted_email} waits to be confirmed from its mailbox, until ${timeOf(wanted_until)}.
      </p>`
    }
    ${
      person.issuedElsewhere
        ? html`<p>You sign in by another system. Change the address there.</p>`
        : html`<form class="settings__row" method="post" action="/account/email">
            ${csrfField(person)}
            ${textField({
              name: "email",
              label: "New email address",
              type: "email",
              value: news.typed?.email ?? "",
              maxLength: 254,
              autocomplete: "email",
              required: true,
              error: issueAt(news.refusal, "email"),
            })}
            ${button({ label: "Change address", kind: "quiet" })}
          </form>`
    }
  </section>`;
}

function billingForm(person: Person, view: SettingsInfo, { typed, refusal }: SettingsNotice): Markup {
  const { name, address, tax_id } = typed?.billing ?? view.billing;
  return html`<section class="card stack" aria-labelledby="billing">
    <h2 id="billing">Invoice details</h2>
    <p class="note">
      They appear on the invoices of your next payments, and on earlier invoices that have none.
    </p>
    <form class="stack" method="post" action="/account/billing">
      ${csrfField(person)}
      ${textField({
        name: "billing_name",
        label: "Name or company",
        value: name,
        maxLength: 100,
        autocomplete: "billing organization",
        error: typed?.billing && issueAt(refusal, "name"),
      })}
      ${textArea({
        name: "billing_address",
        label: "Address",
        rows: 3,
        value: address,
        maxLength: 400,
        error: typed?.billing && issueAt(refusal, "address"),
      })}
      ${textField({
        name: "tax_id",
        label: "Tax id",
        value: tax_id,
        maxLength: 40,
        autocomplete: "off",
        error: issueAt(refusal, "tax_id"),
      })}
      <div>${button({ label: "Save", of: "the invoice details", kind: "quiet" })}</div>
    </form>
  </section>`;
}

function accountInfo(person: Person, { available, plan, membership, keys }: SettingsInfo): Markup {
  return html`<section class="card stack" aria-labelledby="account-heading">
    <h2 id="account-heading">Account</h2>
    ${facts([
      ["Credits", html`<a href="/credits">${credits(available)} available</a>`],
      ["Plan", html`<a href="/account/plan">${plan}</a>`],
      ["Membership", html`<a href="/account/membership">${membership ?? "none"}</a>`],
      ["API keys", html`<a href="/account/keys">${keys} live</a>`],
      ["Account number", html`<code>${person.accountId}</code>`],
    ])}
  </section>`;
}

function sessionsPart({ sessions }: SettingsInfo): Markup {
  return html`<section class="card stack" aria-labelledby="sessions-heading">
    <h2 id="sessions-heading">Where you are signed in</h2>
    <p>${sessions === 0 ? "In no browser by a mailed link." : `In ${counted(sessions, "browser")}.`}</p>
    <p>${linkButton({ href: "/account/sessions", label: "See sessions", kind: "quiet" })}</p>
  </section>`;
}

function dataPart(person: Person): Markup {
  return html`<section class="card stack" aria-labelledby="data-heading">
    <h2 id="data-heading">Your data</h2>
    <p>Everything that the account holds, as one file; or the end of the account.</p>
    <div class="cluster">
      ${actionForm(person, { action: "/account/data/export", label: "Download your data" })}
      <a href="/account/data">Delete the account</a>
    </div>
  </section>`;
}
