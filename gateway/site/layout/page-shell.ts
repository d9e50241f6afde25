// The document around every page: head, navigation, footer.
import { type Markup, html } from "../design/markup.js";
import type { Assets } from "../assets/assets.ts";
import { ICON_SVG } from "../../answers/favicon.ts";
import { icon } from "../design/icon.ts";

/** As much of a signed-in person as every page shows. */
export type Viewer = { readonly name: string; readonly email: string; readonly csrfToken: string };

export type ShellContents = {
  /** Without the name of the site. */
  title: string;
  description?: string;
  /** Who is signed in. A page that shows them is for them alone. */
  person?: Viewer;
  /** Path of the page, by which the navigation marks where one is. */
  path: string;
  body: Markup;
  /** Further elements of the head. */
  head?: Markup | readonly Markup[];
  /** Files of gateway/site that this page loads besides what all have, for example `copy.js`, `catalog.css`. */
  scripts?: readonly string[];
  styles?: readonly string[];
};

export const SITE_NAME = "Atelier";
const LINKS = [
  { href: "/products", label: "Products" },
  { href: "/generate", label: "Generate" },
  { href: "/connect", label: "Connect" },
  { href: "/docs", label: "Docs" },
] as const;
const ACCOUNT_LINKS = [
  { href: "/library", label: "Library" },
  { href: "/jobs", label: "Jobs" },
  { href: "/credits", label: "Credits" },
  { href: "/support", label: "Support" },
  { href: "/account", label: "Settings" },
] as const;

export function pageShell(contents: ShellContents, assets: Assets): Markup {
  const { title, description, person, path, body, head, styles = [] } = contents;
  // Pages of a person's own tell times, which a script turns into theirs.
  const scripts = [...(person ? ["times.js"] : []), ...(contents.scripts ?? [])];
  const needed = new Set(scripts.flatMap((name) => assets.needs(name)));
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title === SITE_NAME ? title : `${title} · ${SITE_NAME}`}</title>
      ${description && html`<meta name="description" content=${description} />`}
      ${person && html`<meta name="csrf-token" content=${person.csrfToken} />`}
      <link rel="icon" href=${ICON} />
      ${["site.css", ...styles].map((name) => html`<link rel="stylesheet" href=${assets.url(name)} />`)}
      ${[...needed].map((href) => html`<link rel="modulepreload" href=${href} />`)}
      ${scripts.map((name) => html`<script type="module" src=${assets.url(name)}></script>`)} ${head}
    </head>
    <body>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class="site-header">
        <div class="site-header__inner">
          <a class="brand" href="/" aria-label="Atelier, home">${icon("brand")}<span>${SITE_NAME}</span></a>
          <nav class="site-nav" aria-label="Main">
            <ul>
              ${LINKS.map((link) => html`<li>${navigationLink(link, path)}</li>`)}
            </ul>
          </nav>
          ${person ? accountMenu(person, path) : html`<a class="button button--quiet" href=${signInAddress(path)}>Sign in</a>`}
        </div>
      </header>
      <main id="main" tabindex="-1">${body}</main>
      <footer class="site-footer">
        <div class="site-footer__inner">
          <p>${SITE_NAME}: digital products, and generation by credits.</p>
          <nav aria-label="More">
            <ul>
              <li><a href="/docs">API reference</a></li>
              <li><a href="/openapi.json">OpenAPI</a></li>
              <li><a href="/llms.txt">For language models</a></li>
              <li><a href="/verify">Was it made here?</a></li>
              <li><a href="/sitemap.xml">Site map</a></li>
            </ul>
          </nav>
        </div>
      </footer>
    </body>
  </html>`;
}

// Drawn here, because a request of its own would be longer than the picture.
const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;

type Link = { href: string; label: string };

function navigationLink({ href, label }: Link, path: string): Markup {
  const isHere = path === href || path.startsWith(`${href}/`);
  return html`<a href=${href} aria-current=${isHere ? (path === href ? "page" : "true") : undefined}
    >${label}</a
  >`;
}

/** Opens without a script: a disclosure of the platform's own. */
function accountMenu({ name, email, csrfToken }: Viewer, path: string): Markup {
  return html`<details class="account-menu">
    <summary class="button button--quiet">
      ${icon("person")}<span>${name === "" ? "Account" : name}</span>
    </summary>
    <div class="account-menu__panel">
      <p class="account-menu__who">${email}</p>
      <ul>
        ${ACCOUNT_LINKS.map((link) => html`<li>${navigationLink(link, path)}</li>`)}
      </ul>
      <form method="post" action="/sign-out">
        <input type="hidden" name="csrf_token" value=${csrfToken} />
        <button class="button button--quiet" type="submit">Sign out</button>
      </form>
    </div>
  </details>`;
}

function signInAddress(path: string): string {
  return path === "/" || path.startsWith("/sign-in")
    ? "/sign-in"
    : `/sign-in?next=${encodeURIComponent(path)}`;
}
