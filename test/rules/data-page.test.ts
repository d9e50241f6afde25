// Compares docs/architecture/data.md with the collections in the code.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ALL_COLLECTIONS } from "../../core/entry/migrate.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/architecture/data.md", import.meta.url)), "utf8");

test("the data page lists every collection once, and no other", () => {
  const [, below = ""] = page.split("## Collections\n");
  const listed = [...(below.split(/^## /m)[0] ?? "").matchAll(/^- ((?:`[\w.]+`(?:, )?)+):/gm)].flatMap(
    ([, names = ""]) => names.replaceAll("`", "").split(", "),
  );
  expect(listed.toSorted()).toEqual(ALL_COLLECTIONS.map(({ name }) => name).toSorted());
});
