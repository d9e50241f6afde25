// /about, /help, /licences, /privacy, /terms: texts of the website, each from the operator's folder or, if it has none, the one that comes with the service. Each is read once.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { currentTerms } from "../../../proto/resources/licence-terms.ts";
import { LICENCE_KINDS } from "../../../proto/resources/membership.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";
import { label } from "../design/format.ts";
import { plainText, readMarkdown, renderBlocks, safeLink } from "../design/markdown.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { type Page, renderPage } from "../layout/render-page.ts";
import { viewerOf } from "../session/current-person.ts";

const BUILT_IN = fileURLToPath(new URL("texts", import.meta.url));
const NAMES = ["about", "help", "licences", "privacy", "terms"] as const;
const INDEXED_NAMES: readonly Name[] = ["about", "help"];
type Name = (typeof NAMES)[number];
type Text = { readonly title: string; readonly blocks: Children };

/** Throws if a text of the operator cannot be read, so that a mistake in the folder is found at startup. */
export function textPages(app: GatewayApp, { config, baseUrl }: GatewayOptions): void {
  for (const name of NAMES) {
    const own = config.siteTexts === undefined ? undefined : join(config.siteTexts, `${name}.md`);
    const pageFrom = (path: string) => pageOf(name, loadText(path), config.supportEmail, baseUrl);
    let page = own !== undefined && existsSync(own) ? pageFrom(own) : undefined;
    app.get(`/${name}`, INDEXED_NAMES.includes(name) ? INDEXED : OPEN, async (request, reply) => {
      const person = await viewerOf(app.sessions, request);
      page ??= pageFrom(join(BUILT_IN, `${name}.md`));
      return renderPage(reply, { ...page, person });
    });
  }
}

function loadText(path: string): Text {
  try {
    const [title, ...blocks] = readMarkdown(readFileSync(path, "utf8").trim());
    if (title?.type !== "heading" || title.depth !== 1)
      throw new Error("a text begins with its title: # Title");
    return { title: plainText(title.tokens), blocks: renderBlocks(blocks, safeLink) };
  } catch (error) {
    throw new Error(`the text ${path} of the website cannot be used`, { cause: error });
  }
}

function pageOf(
  name: Name,
  { title, blocks }: Text,
  supportEmail: string | undefined,
  baseUrl: string,
): Page {
  return {
    title,
    path: `/${name}`,
    styles: ["about.css"],
    head: html`<link rel="canonical" href=${`${baseUrl}/${name}`} />`,
    body: html`<article class="prose">
      <h1>${title}</h1>
      ${blocks} ${name === "licences" && licences()}
      ${name === "help" && supportEmail !== undefined && writeTo(supportEmail)}
    </article>`,
  };
}

function writeTo(email: string): Markup {
  return html`<h2>Without an account</h2>
    <p>Write to <a href=${`mailto:${email}`}>${email}</a>.</p>`;
}

/** What each licence allows under the current terms. */
function licences(): Markup[] {
  return LICENCE_KINDS.map((kind) => {
    const { summary, paragraphs, version } = currentTerms(kind);
    return html`<section class="card stack">
      <h2>${label(kind)} licence</h2>
      <p class="lead">${summary}</p>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
      <p class="note">Version ${version}. <a href=${`/licences/${kind}`}>A page of its own</a></p>
    </section>`;
  });
}
