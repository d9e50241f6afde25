// The chapters of docs/guide, which the website and the tool endpoints show. contents.json has their order and groups. The rest is in the
// chapter itself or, where it has a mark such as <!-- made: limits -->, in the code.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Config } from "../runtime/config/config.ts";

const GUIDE = new URL("../docs/guide/", import.meta.url);
const contentsSchema = z.array(z.object({ group: z.string(), chapters: z.array(z.string()) }));

/** The placeholders of the chapters, for the URLs of this installation. */
const SITE_EXAMPLE = "https://atelier.example";
const API_EXAMPLE = "https://api.atelier.example";

export type Addresses = { readonly baseUrl: string; readonly generationBaseUrl: string };

export type GuideChapter = {
  readonly slug: string;
  readonly group: string;
  readonly title: string;
  /** The chapter that the reader gets. */
  readonly lead: string;
  /** Markdown. */
  readonly body: string;
};

/** How many requests of each kind are allowed in a minute. */
export type LimitRow = { readonly what: string; readonly perMinute: number; readonly countedFor: string };

export type Guide = { readonly chapters: readonly GuideChapter[]; readonly limits: readonly LimitRow[] };

export function loadGuide(config: Config, addresses: Addresses): Guide {
  return { chapters: loadGuideChapters(addresses), limits: limitRows(config) };
}

/** The chapters with the URLs of this installation. Throws if a chapter does not have the expected beginning. */
export function loadGuideChapters(addresses: Addresses): GuideChapter[] {
  const contents = contentsSchema.parse(JSON.parse(readGuideFile("contents.json")));
  return contents.flatMap(({ group, chapters }) =>
    chapters.map((slug) => ({ slug, group, ...chapterOf(readGuideFile(`${slug}.md`), addresses) })),
  );
}

export function limitRows(config: Config): LimitRow[] {
  const rows: [string, number, string][] = [
    ["Generate", config.rateGeneratePerMinute, "each key"],
    ["Everything else with a key", config.rateApiPerMinute, "each key"],
    ["Tools for members", config.rateMemberPerMinute, "each member key"],
    ["The catalog", config.rateCatalogPerMinute, "each network address"],
    ["Requests with a key that is not good", config.rateFailedKeysPerMinute, "each network address"],
  ];
  return rows.map(([what, perMinute, countedFor]) => ({ what, perMinute, countedFor }));
}

function readGuideFile(name: string): string {
  return readFileSync(new URL(name, GUIDE), "utf8");
}

function chapterOf(
  text: string,
  { baseUrl, generationBaseUrl }: Addresses,
): Pick<GuideChapter, "title" | "lead" | "body"> {
  const here = text.replaceAll(API_EXAMPLE, generationBaseUrl).replaceAll(SITE_EXAMPLE, baseUrl);
  const [, title = "", lead = "", body = ""] =
    /^# (.+)\n\n([^\n]+(?:\n[^\n]+)*)\n([\s\S]*)$/.exec(here) ?? [];
  if (title === "") throw new Error("a chapter begins with its title and one paragraph");
  return { title, lead: lead.replaceAll("\n", " "), body };
}
