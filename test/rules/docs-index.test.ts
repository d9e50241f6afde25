// Compares docs/README.md with the existing pages.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const index = fileURLToPath(new URL("../../docs/README.md", import.meta.url));

test("the index of the documentation links every page", async () => {
  const linked = new Set(
    [...readFileSync(index, "utf8").matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path]) => path),
  );
  const pages = (await Array.fromAsync(glob("**/*.md", { cwd: dirname(index) }))).filter(
    (page) => page !== "README.md",
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});
