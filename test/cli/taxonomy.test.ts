import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, beforeAll } from "vitest";
import { importProducts } from "../../core/shop/catalog/import-products.ts";
import { createCustomer } from "../support/app.ts";
import { useFolder } from "../support/shared.ts";
import { useCli } from "./run-cli.ts";

const { core, run, json } = useCli({ env: { ATELIER_MAX_PRODUCT_FILE_MB: "2" } });

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
      refusal(/^error: --parent cannot change/),
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
      refusal(/^error: --parent must be a top category\n$/),
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

// Files of products by the command line: single files, and an import with a folder of files.
const inFolder = useFolder();
beforeAll(async () => {
  for (const slug of ["icons", "fonts"]) await importRows("first.jsonl", [{ slug, name: slug }]);
});

function fileOf(name: string, content: string | Uint8Array): string {
  const path = inFolder(name);
  writeFileSync(path, content);
  return path;
}

function importRows(name: string, rows: readonly object[], ...flags: string[]) {
  const path = fileOf(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return run("--json", "product", "import", path, ...flags);
}

const zip = (words: string) => Buffer.from(`PK\u0003\u0004${words}`);

describe("product file", () => {
  test("add, list and remove print what core stores of a file", async () => {
    const bytes = randomBytes(1_500_000);
    const path = fileOf("Line Icons (all).bin", bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const added = await json("product", "file", "add", "icons", path, "--file-version", "1.2");
    expect(added).toMatchObject({
      name: "Line Icons (all).bin",
      version: "1.2",
      bytes: 1_500_000,
      sha256,
      added: true,
    });
    const again = await run("product", "file", "add", "icons", path, "--file-version", "1.2");
    expect(again.stdout).toContain("1,500,000 bytes");
    expect(again.stdout).toContain("(it was there already)");
    expect(await json("product", "file", "add", "icons", path, "--name", "icons.bin")).toMatchObject({
      name: "icons.bin",
      version: "1.0",
    });
    expect((await run("product", "file", "list", "icons")).stdout).toMatch(/Line Icons \(all\)\.bin +1\.2/);
    const { file_id } = added as { file_id: string };
    expect((await run("product", "file", "remove", "icons", file_id)).stdout).toContain(
      "is removed from icons",
    );
    const { entries } = (await json("audit-trail", "--target", "icons")) as { entries: object[] };
    expect(entries[0]).toMatchObject({ method: "RemoveProductFile", operator: "tester", detail: file_id });
  });

  test.each<[string, () => string, number, string]>([
    ["is not there", () => inFolder("nowhere.zip"), 2, "cannot be read: ENOENT"],
    ["is a folder", () => inFolder(), 2, "cannot be read: it is not a file"],
    ["is empty", () => fileOf("empty.zip", ""), 2, "empty.zip is empty"],
    [
      "is not a ZIP",
      () => fileOf("lies.zip", "plain text"),
      1,
      "file does not begin like a ZIP with something in it",
    ],
    [
      "is too large",
      () => fileOf("large.bin", new Uint8Array(2 ** 21 + 1)),
      1,
      "file must have at most 2 MiB",
    ],
    ["has an invalid name", () => fileOf("§.zip", zip("")), 1, "name must begin with a letter or a digit"],
  ])("add reports a file that %s", async (_what, make, exitCode, words) => {
    const result = await run("product", "file", "add", "icons", make());
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr).toContain(words);
  });

  test("add reports an unknown product", async () => {
    const result = await run("product", "file", "add", "nothing", fileOf("a.zip", zip("a")));
    expect(result).toMatchObject({ exitCode: 1 });
    expect(result.stderr).toContain("No product has this slug.");
  });
});

describe("product import --files", () => {
  test("adds the file named by download_key to each product, and lists the files that failed", async () => {
    const files = inFolder("files");
    mkdirSync(join(files, "deep"), { recursive: true });
    writeFileSync(join(files, "deep", "fonts.zip"), zip("fonts"));
    writeFileSync(join(files, "lies.zip"), "plain text");
    fileOf("outside.zip", zip("outside"));
    symlinkSync(inFolder("outside.zip"), join(files, "link.zip"));
    const rows = [
      { slug: "fonts", download_key: "deep/fonts.zip" },
      { slug: "new-one", name: "New one", download_key: "lies.zip" },
      { slug: "missing", name: "Missing", download_key: "missing.zip" },
      { slug: "outside", name: "Outside", download_key: "../outside.zip" },
      { slug: "linked", name: "Linked", download_key: "link.zip" },
      { slug: "icons" },
    ];
    const first = await importRows("with-files.jsonl", rows, "--files", files, "--files-version", "3");
    expect(first.exitCode).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({
      created: 4,
      files: { added: 1, unchanged: 0, refused: 1, missing: 3 },
    });
    for (const words of [
      '"line":2,"slug":"new-one"',
      "does not begin like a ZIP",
      '"line":3',
      '"line":4',
      '"line":5',
    ])
      expect(first.stderr).toContain(words);
    expect(await json("product", "file", "list", "fonts")).toMatchObject([
      { name: "fonts.zip", version: "3" },
    ]);
    expect(await json("product", "file", "list", "linked")).toEqual([]);

    const again = await importRows("again.jsonl", rows.slice(0, 1), "--files", files, "--files-version", "3");
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      unchanged: 1,
      files: { added: 0, unchanged: 1, refused: 0, missing: 0 },
    });
  });

  test("adds nothing in a dry run or where a row was refused", async () => {
    const files = inFolder("other-files");
    mkdirSync(files);
    writeFileSync(join(files, "a.zip"), zip("a"));
    const good = { slug: "dry", name: "Dry", download_key: "a.zip" };
    const dry = await importRows("dry.jsonl", [good], "--files", files, "--dry-run");
    expect(JSON.parse(dry.stdout)).toMatchObject({ files: { added: 0, missing: 0 } });
    const bad = await importRows("bad.jsonl", [good, { slug: "no-name" }], "--files", files, "--batch", "1");
    expect(JSON.parse(bad.stdout)).toMatchObject({ created: 1, refused: 1, files: { added: 0 } });
    expect(await json("product", "file", "list", "dry")).toEqual([]);
    const nowhere = await importRows("no.jsonl", [good], "--files", inFolder("nowhere"));
    expect(nowhere).toMatchObject({ exitCode: 2 });
  });
});

test("download list reports that there are no downloads", async () => {
  const { accountId } = await createCustomer(core.app);
  expect((await run("download", "list", accountId)).stdout).toBe("no downloads\n");
});
