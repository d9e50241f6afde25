// The chapters of the guide as pages of the site.
import { type Addresses, type GuideChapter, loadGuideChapters } from "../../../edge/guide.ts";
import { type Block, readBlocks, type Sample } from "./guide-text.ts";

export const DOCS_PATH = "/docs";

export type Chapter = Omit<GuideChapter, "body"> & {
  readonly path: string;
  readonly blocks: readonly Block[];
};

/** Links to pages of the site stay on it, wherever it is reached; samples have whole addresses. */
export function loadChapters(addresses: Addresses): Chapter[] {
  return loadGuideChapters(addresses).map(({ body, lead, ...chapter }) => {
    const onSite = (text: string) => text.replaceAll(`](${addresses.baseUrl}/`, "](/");
    return {
      ...chapter,
      lead: onSite(lead),
      blocks: readBlocks(onSite(body)),
      path: `${DOCS_PATH}/${chapter.slug}`,
    };
  });
}

/** What every program begins with: the first samples of the first chapter. A page that shows it has `<!-- made: start -->`. */
export function startOf(chapters: readonly Chapter[]): readonly Sample[] {
  const blocks = chapters[0]?.blocks ?? [];
  return blocks.flatMap((block) => (block.kind === "samples" ? [block.samples] : []))[0] ?? [];
}
