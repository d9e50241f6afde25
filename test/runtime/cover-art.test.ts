// Covers are drawn from names that may contain anything.
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { SHELVES } from "../../core/shop/catalog/demo/shelves.ts";
import { COVER_VIEWS, drawCover } from "../../runtime/covers/cover-art.ts";
import { drawn } from "../support/thorough.ts";

const CATEGORIES = ["templates", "component-kits", "icons", "fonts", "plugins", "illustrations", null];
const KINDS = [
  ...SHELVES.map(({ category, slug }) => ({ category, subcategory: slug })),
  { category: null, subcategory: null },
];

test("a cover has 800 by 600 pixels, is the same for one product, and differs between products", async () => {
  for (const kind of KINDS) {
    const svg = drawCover({ slug: "harbor-icons", name: "Harbor Icons", ...kind });
    expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({
      format: "svg",
      width: 800,
      height: 600,
    });
    expect(drawCover({ slug: "harbor-icons", name: "Harbor Icons", ...kind })).toBe(svg);
    expect(drawCover({ slug: "lumen-icons", name: "Harbor Icons", ...kind })).not.toBe(svg);
  }
});

test("each kind of product has its own drawing, and each product as many as its page shows", () => {
  const drawings = KINDS.flatMap((kind) =>
    Array.from({ length: COVER_VIEWS }, (_, i) =>
      drawCover({ slug: "harbor", name: "Harbor", ...kind }, i + 1),
    ),
  );
  expect(new Set(drawings).size).toBe(KINDS.length * COVER_VIEWS);
});

test("no product name breaks the SVG or adds markup", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(...CATEGORIES),
      async (name, category) => {
        const svg = drawCover({ slug: "any", name: `<script>"&'${name}`, category, subcategory: null });
        expect(svg).not.toContain("<script");
        expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(800);
      },
    ),
    { numRuns: drawn(100) },
  );
});
