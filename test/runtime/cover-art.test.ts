// Covers are drawn from names that anybody may have given.
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { drawCover } from "../../runtime/cover-art.ts";

const CATEGORIES = ["templates", "component-kits", "icons", "fonts", "plugins", "illustrations", null];

test("a cover is a picture of 800 by 600, the same for the same product and another for another", async () => {
  for (const category of CATEGORIES) {
    const svg = drawCover({ slug: "harbor-icons", name: "Harbor Icons", category });
    expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({
      format: "svg",
      width: 800,
      height: 600,
    });
    expect(drawCover({ slug: "harbor-icons", name: "Harbor Icons", category })).toBe(svg);
    expect(drawCover({ slug: "lumen-icons", name: "Harbor Icons", category })).not.toBe(svg);
  }
});

test("no name breaks the picture or puts anything into it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(...CATEGORIES),
      async (name, category) => {
        const svg = drawCover({ slug: "any", name: `<script>"&'${name}`, category });
        expect(svg).not.toContain("<script");
        expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(800);
      },
    ),
    { numRuns: 100 },
  );
});
