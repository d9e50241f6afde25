// The shared parts of account pages: navigation, the response to a form, and components that only these pages use.
import type { FastifyReply } from "fastify";
import { button, type ButtonOptions } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";

const PAGES = [
  { href: "/account", label: "Settings" },
  { href: "/account/keys", label: "API keys" },
  { href: "/account/callbacks", label: "Webhooks" },
  { href: "/account/plan", label: "Plan" },
  { href: "/account/membership", label: "Membership" },
  { href: "/account/orders", label: "Orders" },
  { href: "/account/sessions", label: "Sessions" },
  { href: "/account/data", label: "Your data" },
] as const;

export type AccountPath = (typeof PAGES)[number]["href"];

export type AccountPage = {
  path: AccountPath;
  title: string;
  body: Markup;
  status?: number;
  /** Style sheets in addition to those that all account pages load. */
  styles?: readonly string[];
  scripts?: readonly string[];
};

export function sendAccountPage(
  reply: FastifyReply,
  { path, title, body, status = 200, styles = [], scripts = [] }: AccountPage,
): FastifyReply {
  return renderPage(reply, {
    title,
    person: reply.request.person,
    path,
    status,
    styles: ["account.css", ...styles],
    scripts: ["copy.js", ...scripts],
    body: html`<div class="account">
      <nav class="account__nav" aria-label="Settings">${links(path)}</nav>
      <details class="page-menu">
        <summary class="button button--quiet">
          <span>Account: ${PAGES.find(({ href }) => href === path)?.label}</span>
        </summary>
        <nav aria-label="Settings, all pages">${links(path)}</nav>
      </details>
      <div class="stack stack--loose">
        <h1>${title}</h1>
        ${body}
      </div>
    </div>`,
  });
}

function links(path: AccountPath): Markup {
  return html`<ul>
    ${PAGES.map(({ href, label }) => html`<li><a href=${href} aria-current=${href === path ? "page" : undefined}>${label}</a></li>`)}
  </ul>`;
}

type Action = Omit<ButtonOptions, "type" | "isDisabled"> & {
  action: string;
  /** Further values that the form sends. No browser fills in those of an earlier page. */
  values?: Readonly<Record<string, string | number>>;
};

/** A form of this session with one button. */
export function actionForm(
  person: Person,
  { action, values = {}, kind = "quiet", ...words }: Action,
): Markup {
  return html`<form method="post" action=${action}>
    ${csrfField(person)}
    ${Object.entries(values).map(
      ([name, value]) => html`<input type="hidden" name=${name} value=${value} autocomplete="off" />`,
    )}
    ${button({ ...words, kind })}
  </form>`;
}

/** For actions that cannot be undone: the first press explains the result and the second press carries it out. It works without scripts. */
export function confirmedAction(
  person: Person,
  { action, label, of, question }: { action: string; label: string; of: string; question: Children },
): Markup {
  return html`<details class="confirm">
    <summary class="button button--quiet button--small">
      ${label}…<span class="aside-from-sight"> ${of}</span>
    </summary>
    <div class="confirm__panel">
      <p>${question}</p>
      ${actionForm(person, { action, label, kind: "danger" })}
    </div>
  </details>`;
}

export function csrfField({ csrfToken }: Person): Markup {
  return html`<input type="hidden" name="csrf_token" value=${csrfToken} />`;
}

/** A secret in the only response that ever shows it. */
export function shownOnce({
  title,
  secret,
  what,
  body,
  after,
}: {
  title: string;
  secret: string;
  what: string;
  body: Children;
  /** Links or buttons that use the secret. */
  after?: Markup;
}): Markup {
  return notice({
    tone: "warning",
    title,
    body: html`<p>${body}</p>
      <div class="secret"><code id="secret">${secret}</code>${copyButton({ of: "secret", what })}</div>
      ${after}`,
  });
}

export type Fact = readonly [label: string, value: Children];

/** Rows that are false are left out. */
export function facts(rows: readonly (Fact | false)[]): Markup {
  return factList("facts", rows);
}

/** Amounts that add up, in a right-aligned column; the last is the total. */
export function amounts(rows: readonly (Fact | false)[]): Markup {
  return factList("facts facts--amounts", rows);
}

function factList(classes: string, rows: readonly (Fact | false)[]): Markup {
  return html`<dl class=${classes}>
    ${rows.map(
      (row) =>
        row &&
        html`<dt>${row[0]}</dt>
          <dd>${row[1]}</dd>`,
    )}
  </dl>`;
}

/** How to reach the operator, as part of a sentence. */
export function supportContact(email: string | undefined): Markup {
  return email === undefined
    ? html`the operator of this installation`
    : html`<a href=${`mailto:${email}`}>${email}</a>`;
}
