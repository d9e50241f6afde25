import { describe, expect, test } from "vitest";
import { importProducts } from "../../core/shop/catalog/import-products.ts";
import { useCli } from "./run-cli.ts";

const { core, run, json } = useCli();

async function addProduct(fields: object): Promise<void> {
  const rows = [{ line: 1, json: JSON.stringify({ name: "P", status: "published", ...fields }) }];
  const { findings } = await importProducts(core.app, { rows, dryRun: false, createMissing: false });
  expect(findings).toEqual([]);
}

/** Expects one line that names the error, and exit code 1. */
const refusal = (reason: RegExp) => ({ exitCode: 1, stdout: "", stderr: expect.stringMatching(reason) });

describe("categories", () => {
  test("are added, nested, renamed, moved and listed", async () => {
    expect(await json("category", "put", "fonts", "Fonts")).toEqual({
      slug: "fonts",
      name: "Fonts",
      parent: "",
      products: 0,
    });
    expect(await json("category", "put", "serif", "Serif", "--parent", "fonts")).toMatchObject({
      parent: "fonts",
    });
    expect(await json("category", "put", "serif", "Serif faces")).toMatchObject({
      name: "Serif faces",
      parent: "fonts",
    });
    await json("category", "put", "apps", "Apps");
    await addProduct({ slug: "garamond", category: "fonts", subcategory: "serif" });
    const shown = await run("category", "list");
    expect(shown).toEqual({
      exitCode: 0,
      stdout:
        "CATEGORY  NAME         PRODUCTS\napps      Apps         0\nfonts     Fonts        1\n  serif   Serif faces  1\n",
      stderr: "",
    });
    expect(await json("category", "list")).toEqual([
      { slug: "apps", name: "Apps", parent: "", products: 0 },
      { slug: "fonts", name: "Fonts", parent: "", products: 1 },
      { slug: "serif", name: "Serif faces", parent: "fonts", products: 1 },
    ]);
    await json("category", "put", "sans", "Sans", "--parent", "fonts");
    expect(await json("category", "put", "sans", "Sans", "--parent", "")).toMatchObject({ parent: "" });
  });

  test("cannot be moved or removed while in use", async () => {
    await json("category", "put", "themes", "Themes");
    await json("category", "put", "dark", "Dark", "--parent", "themes");
    expect(await run("category", "remove", "themes")).toMatchObject(
      refusal(/^error: slug still has subcategories\n$/),
    );
    await addProduct({ slug: "night", category: "themes", subcategory: "dark" });
    expect(await run("category", "remove", "dark")).toMatchObject(
      refusal(/^error: slug is still used, for example by the product night\n$/),
    );
    expect(await run("category", "put", "dark", "Dark", "--parent", "")).toMatchObject(
      refusal(/^error: parent cannot change/),
    );
  });

  test("are removed once, and an invalid one is refused by name", async () => {
    await json("category", "put", "old", "Old");
    expect(await run("category", "remove", "old")).toEqual({
      exitCode: 0,
      stdout: "old is removed\n",
      stderr: "",
    });
    expect(await run("category", "remove", "old")).toMatchObject(
      refusal(/^error: There is no category with this slug\./),
    );
    expect(await run("category", "put", "Big", "Big")).toMatchObject(
      refusal(/^error: slug must be lower-case/),
    );
    expect(await run("category", "put", "new", "New", "--parent", "nothing")).toMatchObject(
      refusal(/^error: parent must be a top category\n$/),
    );
    expect(await run("category", "put", "new")).toMatchObject({ exitCode: 2 });
  });
});

test("tags are added, renamed, listed, and removed when no product uses them", async () => {
  expect(await json("tag", "put", "free", "Free")).toEqual({ slug: "free", name: "Free", products: 0 });
  await json("tag", "put", "svg", "SVG");
  await addProduct({ slug: "icons", tags: ["svg"] });
  expect(await json("tag", "put", "svg", "SVG files")).toEqual({
    slug: "svg",
    name: "SVG files",
    products: 1,
  });
  expect((await run("tag", "list")).stdout).toBe(
    "TAG   NAME       PRODUCTS\nfree  Free       0\nsvg   SVG files  1\n",
  );
  expect(await run("tag", "remove", "svg")).toMatchObject(
    refusal(/^error: slug is still used, for example by the product icons\n$/),
  );
  expect(await json("tag", "remove", "free")).toEqual({ slug: "free", removed: true });
  expect(await run("tag", "remove", "free")).toMatchObject(
    refusal(/^error: There is no tag with this slug\./),
  );
  expect(await json("tag", "list")).toEqual([{ slug: "svg", name: "SVG files", products: 1 }]);
});
