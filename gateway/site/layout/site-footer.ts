// The footer of every page: further links in short lists.
import { icon } from "../design/icon.ts";
import { html, type Markup } from "../design/markup.js";
import { SITE_NAME } from "./site-name.ts";

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

export function siteFooter(): Markup {
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
