// The chapters of docs/guide, read once: their order and groups stand in its contents.json, everything else in the chapter itself.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type ChapterText, readChapter, type Sample } from "./guide-text.ts";

export const DOCS_PATH = "/docs";
const GUIDE = new URL("../../../docs/guide/", import.meta.url);
const contentsSchema = z.array(z.object({ group: z.string(), chapters: z.array(z.string()) }));

export type Chapter = ChapterText & { readonly slug: string; readonly path: string; readonly group: string };
export type Addresses = { readonly baseUrl: string; readonly generationBaseUrl: string };

/** What stands in the chapters for the addresses of this installation. */
const SITE_EXAMPLE = "https://atelier.example";
const API_EXAMPLE = "https://api.atelier.example";

export function loadChapters(addresses: Addresses): Chapter[] {
  const contents = contentsSchema.parse(JSON.parse(readGuide("contents.json")));
  return contents.flatMap(({ group, chapters }) =>
    chapters.map((slug) => ({
      ...readChapter(withAddresses(readGuide(`${slug}.md`), addresses)),
      slug,
      path: `${DOCS_PATH}/${slug}`,
      group,
    })),
  );
}

/** What every program begins with: the first samples of the first chapter. A page that shows it has `<!-- made: start -->`. */
export function startOf(chapters: readonly Chapter[]): readonly Sample[] {
  const blocks = chapters[0]?.blocks ?? [];
  return blocks.flatMap((block) => (block.kind === "samples" ? [block.samples] : []))[0] ?? [];
}

function readGuide(name: string): string {
  return readFileSync(new URL(name, GUIDE), "utf8");
}

/** Links to pages of the site stay on it, wherever it is reached; samples get whole addresses. */
function withAddresses(text: string, { baseUrl, generationBaseUrl }: Addresses): string {
  return text
    .replaceAll(`](${SITE_EXAMPLE}/`, "](/")
    .replaceAll(API_EXAMPLE, generationBaseUrl)
    .replaceAll(SITE_EXAMPLE, baseUrl);
}
