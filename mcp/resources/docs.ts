// The chapters of the docs as Markdown documents: the text that the website and /llms.txt have, with the parts that are generated from code
// as tables.
import type { Guide, GuideChapter } from "../../edge/guide.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { defineResource } from "../protocol/resource.ts";

const MADE = /^<!-- made: ([\w-]+) -->$/gm;
/** Links between chapters, with or without a heading. */
const TO_CHAPTER = /\]\(([\w-]+)\.md(?:#[\w-]+)?\)/g;

export const docs = defineResource({
  uri: "atelier://docs/{chapter}",
  name: "docs",
  title: "A chapter of the docs",
  description: "How to use this service from programs and assistants, a chapter at a time, with samples.",
  mimeType: "text/markdown",
  list: async ({ guide }) =>
    guide.chapters.map(({ slug, group, title, lead }) => ({
      value: slug,
      title: `${group}: ${title}`,
      description: withLinks(lead),
    })),
  read: async ({ guide }, slug) => {
    const chapter = guide.chapters.find((one) => one.slug === slug);
    return chapter && { text: textOf(chapter, guide) };
  },
});

function textOf({ title, lead, body }: GuideChapter, guide: Guide): string {
  const made: Readonly<Record<string, () => string>> = {
    "error-codes": errorCodes,
    limits: () => limits(guide),
    start: () => `The samples of this page begin as the first ones of ${uriOf(guide.chapters[0]?.slug)} do.`,
  };
  const text = body.replaceAll(MADE, (_mark, name: string) => {
    const make = made[name];
    if (!make) throw new Error(`nothing makes ${name}`);
    return make();
  });
  return withLinks(`# ${title}\n\n${lead}\n${text}`);
}

function uriOf(slug = ""): string {
  return docs.uri.replace("{chapter}", slug);
}

function withLinks(text: string): string {
  return text.replaceAll(TO_CHAPTER, (_link, slug: string) => `](${uriOf(slug)})`);
}

function errorCodes(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { http, retryable, message, hint }]) =>
      `| \`${code}\` | ${http} | ${retryable ? "yes" : "no"} | ${message} ${hint} |`,
  );
  return [
    "| Code | Status | Trying again may help | What it means |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function limits(guide: Guide): string {
  const rows = guide.limits.map(
    ({ what, perMinute, countedFor }) => `| ${what} | ${perMinute} | ${countedFor} |`,
  );
  return ["| What | A minute | Counted for |", "| --- | --- | --- |", ...rows].join("\n");
}
