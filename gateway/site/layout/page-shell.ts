// The document around every page: head, header and footer.
import type { Assets } from "../assets/assets.ts";
import { credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { SITE_NAME } from "./site-name.ts";

/** The facts about a signed-in person that every page shows. */
export type Viewer = {
  readonly name: string;
  readonly email: string;
  readonly csrfToken: string;
  readonly creditsAvailable: number;
  /** The number of unread entries of the inbox. */
  readonly inboxUnread: number;
  readonly timeZone: string;
};

export type ShellContents = {
  /** The title without the name of the site. */
  title: string;
  description?: string;
  /** The person who is signed in; a page that shows them is private. "unknown" if core could not be asked. */
  person?: Viewer | "unknown" | undefined;
  /** The path of the page, which the navigation marks as current. */
  path: string;
  body: Markup;
  /** Further elements of the head. */
  head?: Markup | readonly Markup[];
  /** Files of gateway/site that this page loads in addition to the common ones, for example `copy.js` or `catalog.css`. */
  scripts?: readonly string[];
  styles?: readonly string[];
};

export const INBOX_PATH = "/account/inbox";
/** A larger number is shown as 9+. */
const MAX_SHOWN_UNREAD = 9;

type Link = {
  readonly href: string;
  readonly label: string;
  /** The link is also in the menu, and only there on narrow screens. */
  readonly isWideOnly?: true;
};

const LINKS: readonly Link[] = [
  { href: "/products", label: "Products" },
  { href: "/generate", label: "Generate" },
  { href: "/pricing", label: "Pricing" },
  { href: "/connect", label: "Connect", isWideOnly: true },
  { href: "/docs", label: "Docs" },
];
const OWN_LINKS: readonly Link[] = [
  { href: "/generate", label: "Generate" },
  { href: "/jobs", label: "Jobs" },
  { href: "/library", label: "Library" },
  { href: "/products", label: "Products" },
  { href: "/connect", label: "Connect", isWideOnly: true },
  { href: "/docs", label: "Docs" },
];
const MENU_LINKS: readonly Link[] = [
  { href: "/credits", label: "Credits" },
  { href: "/account", label: "Settings" },
  { href: "/account/orders", label: "Orders" },
  { href: "/pricing", label: "Pricing" },
  { href: "/connect", label: "Connect" },
  { href: "/support", label: "Support" },
];

export function pageShell(contents: ShellContents, assets: Assets): Markup {
  const { title, description, person, path, body, head, styles = [] } = contents;
  const viewer = person === "unknown" ? undefined : person;
  // Pages of signed-in persons contain times, which a script converts to their time zone.
  const scripts = ["once.js", ...(viewer ? ["header.js", "times.js"] : []), ...(contents.scripts ?? [])];
  const needed = new Set(scripts.flatMap((name) => assets.needs(name)));
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title === SITE_NAME ? title : `${title} · ${SITE_NAME}`}</title>
      ${description && html`<meta name="description" content=${description} />`}
      ${
        viewer &&
        html`<meta name="csrf-token" content=${viewer.csrfToken} />
          <meta name="time-zone" content=${viewer.timeZone} />`
      }
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="preload" href=${assets.url("headings.woff2")} as="font" type="font/woff2" crossorigin />
      ${["site.css", ...styles].map((name) => html`<link rel="stylesheet" href=${assets.url(name)} />`)}
      ${[...needed].map((href) => html`<link rel="modulepreload" href=${href} />`)}
      ${scripts.map((name) => html`<script type="module" src=${assets.url(name)}></script>`)} ${head}
    </head>
    <body>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class=${viewer ? "site-header site-header--own" : "site-header"}>
        <div class="site-header__inner">
          <a class="brand" href="/" aria-label="Atelier, home">${icon("brand")}<span>${SITE_NAME}</span></a>
          <nav class="site-nav" aria-label="Main">
            <ul>
              ${(viewer ? OWN_LINKS : LINKS).map(
                (link) =>
                  html`<li class=${link.isWideOnly && "wide-only"}>${navigationLink(link, path)}</li>`,
              )}
            </ul>
          </nav>
          ${viewer ? ownPart(viewer, path) : visitorPart(path, person === "unknown")}
        </div>
      </header>
      <main id="main" tabindex="-1">${body}</main>
      ${siteFooter()}
    </body>
  </html>`;
}

function navigationLink({ href, label }: Link, path: string): Markup {
  const isHere = path === href || path.startsWith(`${href}/`);
  return html`<a href=${href} aria-current=${isHere ? (path === href ? "page" : "true") : undefined}
    >${label}</a
  >`;
}

function visitorPart(path: string, isUnknown: boolean): Markup {
  const next = path === "/" || path.startsWith("/sign-in") ? "" : `?next=${encodeURIComponent(path)}`;
  return isUnknown
    ? html`<a class="button button--quiet" href="/account">Account</a>`
    : html`<a class="button button--quiet" href=${`/sign-in${next}`}>Sign in</a>`;
}

function inboxLink(unread: number, path: string): Markup {
  const shown = unread > MAX_SHOWN_UNREAD ? `${MAX_SHOWN_UNREAD}+` : unread;
  return html`<a
    class="inbox"
    href=${INBOX_PATH}
    title="Inbox"
    aria-label=${unread > 0 ? `Inbox, ${shown} new` : "Inbox"}
    aria-current=${path === INBOX_PATH ? "page" : undefined}
    >${icon("inbox")}${unread > 0 && html`<span class="inbox__count">${shown}</span>`}</a
  >`;
}

/** The menu opens without scripts, because it is a native disclosure. browser/header.js closes it. */
function ownPart(viewer: Viewer, path: string): Markup {
  const { name, email, csrfToken, creditsAvailable, inboxUnread } = viewer;
  return html`<div class="site-header__own">
    ${inboxLink(inboxUnread, path)}
    <a class="balance" href="/credits" aria-current=${path === "/credits" ? "page" : undefined}
      >${icon("credits")}<span id="balance">${credits(creditsAvailable)}</span></a
    >
    <details class="account-menu">
      <summary class="button button--quiet">
        ${icon("person")}<span class="account-menu__name">${name === "" ? "Account" : name}</span>
      </summary>
      <div class="account-menu__panel">
        <p class="note account-menu__who">${email}</p>
        <ul class="account-menu__links">
          ${MENU_LINKS.map((link) => html`<li>${navigationLink(link, path)}</li>`)}
        </ul>
        <form method="post" action="/sign-out">
          <input type="hidden" name="csrf_token" value=${csrfToken} />
          <button class="button button--quiet" type="submit">Sign out</button>
        </form>
      </div>
    </details>
  </div>`;
}

type Column = { readonly title: string; readonly links: readonly (readonly [href: string, label: string])[] };

const COLUMNS: readonly Column[] = [
  {
    title: "Explore",
    links: [
      ["/products", "Products"],
      ["/generate", "Generate"],
      ["/models", "Models"],
      ["/pricing", "Pricing"],
      ["/verify", "Was it made here?"],
    ],
  },
  {
    title: "Build",
    links: [
      ["/docs", "Documentation"],
      ["/connect", "Connect an assistant"],
      ["/openapi.json", "OpenAPI document"],
      ["/llms.txt", "For language models"],
    ],
  },
  {
    title: "Help",
    links: [
      ["/help", "Support"],
      ["/status", "Status"],
      ["/about", "About"],
    ],
  },
  {
    title: "Legal",
    links: [
      ["/terms", "Terms"],
      ["/privacy", "Privacy"],
      ["/licences", "Licences"],
    ],
  },
];

function siteFooter(): Markup {
  return html`<footer class="site-footer">
    <div class="site-footer__inner">
      <div class="site-footer__brand">
        <p class="brand">${icon("brand")}<span>${SITE_NAME}</span></p>
        <p>Digital products to build with, and a studio that makes what is missing.</p>
      </div>
      ${COLUMNS.map(
        ({ title, links }) =>
          html`<nav aria-label=${title}>
            <h2>${title}</h2>
            <ul>
              ${links.map(([href, label]) => html`<li><a href=${href}>${label}</a></li>`)}
            </ul>
          </nav>`,
      )}
    </div>
  </footer>`;
}
