// All pages of the docs by address, and the search index over them.
import { limitRows } from "../../../edge/guide.ts";
import { ERROR_TABLE } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { plainText } from "../design/markdown.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import type { Page } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { type Chapter, DOCS_PATH, loadChapters, startOf } from "./chapters.ts";
import { codeTabs } from "./code-tabs.ts";
import { type DocsGroup, docsFrame } from "./docs-frame.ts";
import type { Block, Language, Sample } from "./guide-text.ts";
import { type ReferencePage, referencePages } from "./reference.ts";
import { type MadeParts, plain, renderBlocks } from "./render-blocks.ts";
import { type Found, type Place, search } from "./search.ts";

type RenderOptions = {
  readonly language: Language;
  /** The text about the reader's key. */
  readonly note: Markup | undefined;
};

export type DocsPage = { readonly hasSamples: boolean; render(options: RenderOptions): Page };

export type Docs = {
  readonly groups: readonly DocsGroup[];
  pageAt(path: string): DocsPage | undefined;
  find(query: string): Found[];
};

const LEAD =
  "Make pictures, videos and sound from your own programs and assistants. Start with the first chapter, or look something up.";

export function createDocs(options: SiteOptions): Docs {
  const chapters = loadChapters(options);
  const reference = referencePages(options.apiDocument());
  const made = madeParts(options.config, startOf(chapters));
  const groups: DocsGroup[] = [
    ...Map.groupBy(chapters, ({ group }) => group).entries(),
    ["API reference", reference] as const,
  ].map(([group, entries]) => ({ group, entries }));

  const pages = new Map<string, DocsPage>([[DOCS_PATH, overview(groups, chapters)]]);
  for (const chapter of chapters) pages.set(chapter.path, chapterPage(chapter, groups, made));
  for (const page of reference) pages.set(page.path, referencePage(page, groups));
  const places = [
    ...chapters.flatMap(placesOf),
    ...reference.flatMap((page) => page.places),
    ...errorPlaces(),
  ];
  return { groups, pageAt: (path) => pages.get(path), find: (query) => search(places, query) };
}

function overview(groups: readonly DocsGroup[], chapters: readonly Chapter[]): DocsPage {
  const leadOf = (path: string) => chapters.find((chapter) => chapter.path === path)?.lead;
  const cards = groups.map(
    ({ group, entries }) =>
      html`<h2 id=${group.toLowerCase().replaceAll(" ", "-")}>${group}</h2>
        <ul class="docs__cards">
          ${entries.map(({ path, title }) => {
            const lead = leadOf(path);
            return html`<li><a href=${path}>${title}</a>${lead && html`<p>${plain(lead)}</p>`}</li>`;
          })}
        </ul>`,
  );
  const codes = Object.keys(ERROR_TABLE).map(
    (code) =>
      html`<li>
        <a id=${code} href=${`${DOCS_PATH}/errors#${code}`}><code>${code}</code></a>
      </li>`,
  );
  return {
    hasSamples: false,
    render: () => ({
      ...around(DOCS_PATH, "Docs", LEAD),
      body: docsFrame({
        groups,
        path: DOCS_PATH,
        title: "Docs",
        lead: LEAD,
        headings: [],
        body: html`${cards}
          <p>
            For programs: the whole API as <a href="/openapi.json">one OpenAPI document</a>. For language
            models: <a href="/llms.txt">llms.txt</a>.
          </p>
          <h2>Error codes</h2>
          <ul class="docs__codes">
            ${codes}
          </ul>`,
      }),
    }),
  };
}

function chapterPage(chapter: Chapter, groups: readonly DocsGroup[], made: MadeParts): DocsPage {
  const { path, title, lead, blocks } = chapter;
  const hasSamples = blocks.some(({ kind }) => kind === "samples");
  return {
    hasSamples,
    render: ({ language, note }) => ({
      ...around(path, title, plain(lead)),
      body: docsFrame({
        groups,
        path,
        title,
        lead: plain(lead),
        headings: headingsOf(blocks),
        body: html`${note} ${renderBlocks(blocks, { language, made })}`,
      }),
    }),
  };
}

function referencePage(page: ReferencePage, groups: readonly DocsGroup[]): DocsPage {
  const { path, title, lead, headings, hasSamples, body } = page;
  return {
    hasSamples,
    render: ({ language, note }) => ({
      ...around(path, `${title}, API reference`, lead),
      body: docsFrame({ groups, path, title, lead, headings, body: html`${note} ${body(language)}` }),
    }),
  };
}

function around(path: string, title: string, description: string): Omit<Page, "body"> {
  return { path, title, description, styles: ["docs.css"], scripts: ["copy.js", "code-tabs.js"] };
}

function headingsOf(blocks: readonly Block[]): { id: string; text: string }[] {
  return blocks.flatMap((block) =>
    block.kind === "heading" && block.level === 2 ? [{ id: block.id, text: plain(block.text) }] : [],
  );
}

/** The beginning of a chapter and each of its sections. */
function placesOf({ path, title, lead, blocks }: Chapter): Place[] {
  const places = [{ path, title, heading: "", text: plain(lead), code: "" }];
  for (const block of blocks) {
    if (block.kind === "heading")
      places.push({ path: `${path}#${block.id}`, title, heading: plain(block.text), text: "", code: "" });
    const place = places.at(-1);
    if (!place) continue;
    place.text = `${place.text} ${proseOf(block)}`.trim();
    place.code = `${place.code} ${codeOf(block)}`.trim();
  }
  return places;
}

function proseOf(block: Block): string {
  switch (block.kind) {
    case "note":
      return plain(block.text);
    case "prose":
      return plainText(block.tokens);
    case "table":
      return block.rows.map((row) => row.map(plain).join(" ")).join("; ");
    default:
      return "";
  }
}

/** One language represents all of them. */
function codeOf(block: Block): string {
  if (block.kind === "samples") return block.samples[0]?.text ?? "";
  return block.kind === "code" ? block.text : "";
}

function errorPlaces(): Place[] {
  return Object.entries(ERROR_TABLE).map(([code, { message, hint }]) => ({
    path: `${DOCS_PATH}/errors#${code}`,
    title: "Errors",
    heading: code,
    text: `${message} ${hint}`,
  }));
}

/** `start` contains the lines that all samples begin with. */
function madeParts(config: Config, start: readonly Sample[]): MadeParts {
  return {
    "error-codes": errorCodes,
    limits: () => limits(config),
    start: (language) =>
      html`<details class="docs__start">
        <summary>The samples on this page begin like this</summary>
        ${codeTabs({ id: "start", samples: start, language, heading: "The beginning of every program" })}
      </details>`,
  };
}

function errorCodes(): Markup {
  return html`<dl class="docs__error-list">
    ${Object.entries(ERROR_TABLE).map(
      ([code, { http, retryable, message, hint }]) =>
        html`<dt id=${code}>
            <code>${code}</code> <span class="badge">${http}</span>${" "}
            ${retryable && html`<span class="badge badge--success">try again</span>`}
          </dt>
          <dd>${message} <span class="note">${hint}</span></dd>`,
    )}
  </dl>`;
}

function limits(config: Config): Markup {
  return table({
    caption: "Requests a minute",
    columns: ["What", { label: "A minute", isNumber: true }, "Counted for"],
    rows: limitRows(config).map(({ what, perMinute, countedFor }) => [what, perMinute, countedFor]),
  });
}
