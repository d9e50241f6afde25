// /: what this marketplace is, a few products, and the two other things that it does: generating, and serving programs.
import { linkButton } from "../design/button.ts";
import { counted } from "../design/format.ts";
import { icon, type IconName } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import { SITE_NAME } from "../layout/page-shell.ts";
import { PRODUCTS_PATH } from "./address.ts";
import type { ShowcaseView } from "./ask-catalog.ts";
import { productGrid } from "./product-card.ts";

const DESCRIPTION =
  "Templates, component kits, icons, fonts and plugins, and images, video and audio made from a prompt.";

const MODALITIES: readonly { name: IconName; title: string; body: string }[] = [
  { name: "image", title: "Images", body: "Pictures from a sentence, one or several at a time." },
  { name: "video", title: "Video", body: "Short clips, priced by the second." },
  { name: "audio", title: "Audio", body: "Spoken words and sound from text." },
];

export function landingPage({ products, categories, total }: ShowcaseView, baseUrl: string): Page {
  return {
    title: SITE_NAME,
    description: DESCRIPTION,
    path: "/",
    styles: ["catalog.css"],
    head: [
      html`<link rel="canonical" href=${`${baseUrl}/`} />`,
      html`<meta property="og:type" content="website" />`,
      html`<meta property="og:title" content=${SITE_NAME} />`,
      html`<meta property="og:description" content=${DESCRIPTION} />`,
      html`<meta property="og:url" content=${`${baseUrl}/`} />`,
    ],
    body: html`<div class="landing">
      ${[hero(total, categories), showcase(products), studioTeaser(), forPrograms(baseUrl)]}
    </div>`,
  };
}

function hero(total: number, categories: ShowcaseView["categories"]): Markup {
  return html`<section class="hero">
    <div class="stack">
      <h1>Take it from the shelf, or have it made.</h1>
      <p class="lead">
        ${counted(total, "digital product")} to build with, and a studio that makes images, video and audio
        from your words.
      </p>
      <p class="cluster">
        ${linkButton({ href: PRODUCTS_PATH, label: "Browse products" })}
        ${linkButton({ href: "/generate", label: "Generate something", kind: "quiet" })}
      </p>
    </div>
    <form class="hero__search" action=${PRODUCTS_PATH} method="get" role="search">
      <label for="search">What are you looking for?</label>
      <div class="cluster">
        <input
          class="input"
          type="search"
          id="search"
          name="search"
          maxlength="200"
          placeholder="A dashboard, an icon set…"
        />
        <button class="button button--primary" type="submit">Search</button>
      </div>
      ${shelves(categories)}
    </form>
  </section>`;
}

function shelves(categories: ShowcaseView["categories"]): Markup | undefined {
  if (categories.length === 0) return undefined;
  return html`<ul class="active-filters" aria-label="Categories">
    ${categories.map(
      ({ value, label }) =>
        html`<li><a href=${`${PRODUCTS_PATH}?category=${encodeURIComponent(value)}`}>${label}</a></li>`,
    )}
  </ul>`;
}

function showcase(products: ShowcaseView["products"]): Markup {
  return html`<section class="stack">
    <div class="cluster cluster--apart">
      <h2>From the showcase</h2>
      <a href=${PRODUCTS_PATH}>All products</a>
    </div>
    ${products.length > 0 ? productGrid(products, 3) : html`<p class="note">The shelves are still empty.</p>`}
  </section>`;
}

function studioTeaser(): Markup {
  return html`<section class="card stack studio-teaser">
    <h2>Or have it made</h2>
    <p class="lead">
      Pick a model, describe what you want, watch it happen. Each model has its price in credits; what fails
      is returned in full.
    </p>
    <ul class="three">
      ${MODALITIES.map(
        ({ name, title, body }) =>
          html`<li>
            ${icon(name)}
            <h3>${title}</h3>
            <p>${body}</p>
          </li>`,
      )}
    </ul>
    <p>${linkButton({ href: "/generate", label: "Open Generate" })}</p>
  </section>`;
}

function forPrograms(baseUrl: string): Markup {
  return html`<section class="split">
    <div class="stack">
      <h2>For programs and assistants</h2>
      <p>
        The same catalog and the same studio answer over REST and MCP. The catalog needs no key; generating
        takes one from your account.
      </p>
      <p class="cluster">
        ${linkButton({ href: "/connect", label: "Connect an assistant", kind: "quiet" })}
        ${linkButton({ href: "/docs", label: "Read the API reference", kind: "quiet" })}
      </p>
    </div>
    <pre tabindex="0" aria-label="Example"><code>curl ${baseUrl}/api/catalog?search=icons</code></pre>
  </section>`;
}
