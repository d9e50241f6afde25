// The chapters of the guide as pages of the site.
import { type Addresses, type GuideChapter, loadGuideChapters } from "../../../edge/guide.ts";
import { type Block, readBlocks, type Sample } from "./guide-text.ts";

export const DOCS_PATH = "/docs";

export type Chapter = Omit<GuideChapter, "body"> & {
  readonly path: string;
  readonly blocks: readonly Block[];
};

/** Links to pages of the site stay relative, so they work under any address; samples contain complete addresses. */
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

/** The first samples of the first chapter, which every program starts with. A page includes them with `<!-- made: start -->`. */
export function startOf(chapters: readonly Chapter[]): readonly Sample[] {
  const blocks = chapters[0]?.blocks ?? [];
  return blocks.flatMap((block) => (block.kind === "samples" ? [block.samples] : []))[0] ?? [];
}
