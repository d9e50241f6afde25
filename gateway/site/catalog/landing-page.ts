// /: what this place is, works that were made here, a few products, and the way in for programs.
import { linkButton } from "../design/button.ts";
import { counted } from "../design/format.ts";
import { icon, type IconName } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { PRODUCTS_PATH } from "../layout/product-paths.ts";
import type { Page } from "../layout/render-page.ts";
import { sharedHead } from "../layout/shared-head.ts";
import { SITE_NAME } from "../layout/site-name.ts";
import { findSample, responsivePicture, type Sample } from "../samples/samples.ts";
import type { ShowcaseView } from "./ask-catalog.ts";
import { productGrid } from "./product-card.ts";

const DESCRIPTION =
  "Templates, component kits, icons, fonts and plugins, and a studio that makes pictures, video and audio from your words.";

/** How wide pictures are shown: side by side on large screens, and across a phone. */
const WIDE_ON_WALL = "(max-width: 56rem) 62vw, 25rem";
const ON_WALL = "(max-width: 56rem) 31vw, 12rem";
const MAKER = "(max-width: 36rem) 90vw, 22rem";

/** Beside the first words, the first of them wide. */
const WALL = [
  "lighthouse-at-dusk",
  "poster-of-iceland",
  "balloons-over-mountains",
  "sketch-of-a-windmill",
  "gradient-of-dawn",
];

const MAKERS: readonly { icon: IconName; title: string; body: string; sample: string }[] = [
  {
    icon: "image",
    title: "Pictures",
    body: "From a sentence, one or several at a time.",
    sample: "lake-under-the-aurora",
  },
  {
    icon: "video",
    title: "Video",
    body: "Short clips and endless loops, priced by the second.",
    sample: "boat-at-sunset",
  },
  { icon: "audio", title: "Audio", body: "Spoken words, in a voice you choose.", sample: "once-upon-a-time" },
];

export function landingPage({ products, categories, total }: ShowcaseView, baseUrl: string): Page {
  return {
    title: SITE_NAME,
    description: DESCRIPTION,
    path: "/",
    styles: ["catalog.css", "landing.css"],
    head: sharedHead({
      type: "website",
      title: "Take it from the shelf, or have it made",
      description: DESCRIPTION,
      baseUrl,
      path: "/",
    }),
    body: html`<div class="landing">
      ${[hero(total), shelves(categories), showcase(products), studio(), forPrograms(baseUrl)]}
    </div>`,
  };
}

function hero(total: number): Markup {
  return html`<section class="hero">
    <div class="stack">
      <h1>Take it from the shelf, or have it made.</h1>
      <p class="lead">
        ${counted(total, "digital product")} to build with, and a studio that makes pictures, video and audio
        from your words.
      </p>
      <p class="cluster">
        ${linkButton({ href: "/generate", label: "Make something" })}
        ${linkButton({ href: PRODUCTS_PATH, label: "Browse products", kind: "quiet" })}
      </p>
    </div>
    <ul class="wall" aria-label="Made here">
      ${WALL.map((id, i) => work(id, i === 0))}
    </ul>
  </section>`;
}

/** A work that was made here, which leads to its prompt. */
function work(id: string, isWide: boolean): Markup | undefined {
  const sample = findSample(id);
  if (!sample) return undefined;
  const shown = responsivePicture(sample, isWide ? WIDE_ON_WALL : ON_WALL);
  return html`<li>
    <a href=${sampleHref(sample)}><img ...${shown} alt=${`Made here: ${sample.prompt}`} /></a>
  </li>`;
}

function sampleHref({ id }: Sample): string {
  return `/generate?example=${id}`;
}

function shelves(categories: ShowcaseView["categories"]): Markup {
  return html`<form class="shelves" action=${PRODUCTS_PATH} method="get" role="search">
    <label for="search">What are you looking for?</label>
    <div class="shelves__words">
      <input
        class="input"
        type="search"
        id="search"
        name="search"
        maxlength="200"
        placeholder="An icon set…"
      />
      <button class="button button--primary" type="submit">Search</button>
    </div>
    ${
      categories.length > 0 &&
      html`<ul class="active-filters" aria-label="Categories">
        ${categories.map(
          ({ value, label }) =>
            html`<li><a href=${`${PRODUCTS_PATH}?category=${encodeURIComponent(value)}`}>${label}</a></li>`,
        )}
      </ul>`
    }
  </form>`;
}

function showcase(products: ShowcaseView["products"]): Markup {
  return html`<section class="stack">
    <div class="cluster cluster--apart">
      <h2>From the shelf</h2>
      <a href=${PRODUCTS_PATH}>All products</a>
    </div>
    ${products.length > 0 ? productGrid(products, { level: 3, hasLead: true }) : html`<p class="note">The shelves are still empty.</p>`}
  </section>`;
}

function studio(): Markup {
  return html`<section class="studio-teaser">
    <div class="stack">
      <h2>Or have it made</h2>
      <p class="lead">
        Pick a model, describe what you want, watch it happen. You see the price before you press, and failed
        jobs cost nothing.
      </p>
    </div>
    <ul class="makers">
      ${MAKERS.map((maker) => makerCard(maker))}
    </ul>
    <p class="cluster">${linkButton({ href: "/generate", label: "Open the studio" })}</p>
  </section>`;
}

function makerCard({ icon: name, title, body, sample: id }: (typeof MAKERS)[number]): Markup {
  const sample = findSample(id);
  return html`<li>
    ${
      sample &&
      html`<a href=${sampleHref(sample)}>
        <img ...${lazily(sample)} />
        <span class="makers__prompt">“${sample.prompt}”</span>
      </a>`
    }
    <h3>${icon(name)} ${title}</h3>
    <p>${body}</p>
  </li>`;
}

function lazily(sample: Sample) {
  return { ...responsivePicture(sample, MAKER), alt: "", loading: "lazy", decoding: "async" };
}

function forPrograms(baseUrl: string): Markup {
  return html`<section class="split">
    <div class="stack">
      <h2>For programs and assistants</h2>
      <p>
        The same catalog and the same studio are open to your code and to your assistant. Looking around needs
        no key; making things takes one from your account.
      </p>
      <p class="cluster">
        ${linkButton({ href: "/connect", label: "Connect an assistant", kind: "quiet" })}
        ${linkButton({ href: "/docs", label: "Read the docs", kind: "quiet" })}
      </p>
    </div>
    <pre tabindex="0" aria-label="Example"><code>curl ${baseUrl}/api/catalog?search=icons</code></pre>
  </section>`;
}
