import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { CSV_COLUMNS } from "../../cli/product-rows.ts";
import { productRowSchema } from "../../core/shop/catalog/product-row.ts";
import { PRODUCT_STATUSES } from "../../proto/resources/product.ts";
import { COMPILED } from "../support/child-env.ts";
import { startTestCore, type TestCore } from "../support/core.ts";
import { useFolder } from "../support/shared.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { drawn } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";
import { type CliResult, CLI_ENTRY, runCliHere, runCliProcess, withReason } from "./run-cli.ts";

let core: TestCore;
const inFolder = useFolder();

/** The tests of this block have a core each, with an empty catalog. */
function useCore(): void {
  beforeEach(async () => {
    core = await startTestCore();
  });
  afterEach(() => core.close());
}

/** No server listens on this port. */
const nowhere = () => ({ ATELIER_CORE_ADDRESS: "127.0.0.1:1", ATELIER_DATA_DIR: inFolder() });

const run = (...args: string[]) => runCliHere(core.env, ...args);
const runImport = (...args: string[]) => run("product", "import", ...args);

/** The JSON that a command printed, also one that exited with 1. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await run("--json", ...args);
  if (exitCode > 1 || stdout === "") throw new Error(`exit code ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function fileOf(name: string, content: string | Uint8Array): string {
  const path = inFolder(name);
  writeFileSync(path, content);
  return path;
}

const jsonLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Every product of the catalog by its slug, as exported. */
async function stored(): Promise<Map<string, Record<string, unknown>>> {
  const { stdout } = await run("product", "export");
  const rows = stdout.split("\n").filter((line) => line !== "");
  const products = rows.map((line) => JSON.parse(line) as Record<string, unknown> & { slug: string });
  return new Map(products.map((product) => [product.slug, product]));
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    slug: `product-${String(i + 1).padStart(6, "0")}`,
    name: `Product ${i + 1}`,
    status: "published",
    price_regular_cents: 100 + i,
    tags: [`tag-${i % 7}`],
  }));

describe("an import of JSON lines", () => {
  useCore();

  test("adds, changes and keeps products and counts each; a second import changes nothing", async () => {
    const file = fileOf(
      "first.jsonl",
      jsonLines([
        { slug: "a", name: "A" },
        { slug: "b", name: "B", plus_only: true },
      ]),
    );
    expect(await json("product", "import", file)).toEqual({
      dry_run: false,
      rows: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      held_back: 0,
      read_line: 2,
      stored_line: 2,
    });
    const next = fileOf(
      "next.jsonl",
      jsonLines([{ slug: "b", tagline: "Bee" }, { slug: "a" }, { slug: "c", name: "C" }]),
    );
    expect(await json("product", "import", next)).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await json("product", "import", next)).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect((await stored()).get("b")).toMatchObject({
      name: "B",
      plus_only: true,
      tagline: "Bee",
      status: "draft",
    });
  });

  test("prints the counts in columns", async () => {
    const { exitCode, stdout } = await runImport(
      fileOf("a.jsonl", jsonLines(numbered(3))),
      "--create-missing",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      "rows       3\ncreated    3\nupdated    0\nunchanged  0\nrefused    0\nheld back  0\n",
    );
  });

  test("writes nothing in a dry run, and reports what the import would report", async () => {
    const file = fileOf("dry.jsonl", jsonLines([{ slug: "a", name: "A" }]));
    expect(await json("product", "import", file, "--dry-run")).toEqual({
      dry_run: true,
      rows: 1,
      created: 1,
      updated: 0,
      unchanged: 0,
      refused: 0,
      held_back: 0,
      read_line: 1,
    });
    const bad = await runImport(fileOf("bad.jsonl", jsonLines([{ slug: "B", name: "B" }])), "--dry-run");
    expect(bad).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("dry run: nothing is written"),
    });
    expect(bad.stderr).toContain(
      "error: 1 row was refused; the reasons are above: correct them before the import\n",
    );
    expect(await stored()).toEqual(new Map());
  });

  test("names line, product, field and reason of every bad row, stores the other batches and exits with 1", async () => {
    const rows = [
      '{"slug":"a","name":"A"}',
      "",
      '{"slug":"b","name":"B","price_regular_cents":-1,"colour":"red"}',
      "{",
      '{"slug":"c","name":"C","tags":["new"]}',
      "[1]",
      '{"slug":"d"}',
      '{"slug":"e","name":"E\\u0000","tagline":"x\\u0000y"}',
      '{"slug":"f","name":"F"}',
      '{"slug":"g","name":"G"}',
    ];
    const result = await runImport(fileOf("bad.jsonl", rows.join("\r\n")), "--batch", "2");
    expect(result.exitCode).toBe(1);
    expect(
      result.stderr.split("\n").filter((line) => line.startsWith("line ") && !line.includes("read,")),
    ).toEqual([
      "line 3 (b): price_regular_cents must be at least 0",
      "line 3 (b): colour is not a known field",
      "line 4: the row is not valid JSON",
      "line 5 (c): tags new: no such tag",
      "line 6: the row must be an object",
      "line 7 (d): name is required for a new product",
      "line 8 (e): name must be one line of well-formed text",
      "line 8 (e): tagline must be well-formed text",
    ]);
    expect(result.stderr).toContain(
      "error: 6 rows were refused, and 2 good rows of the same batches held back with them; the reasons are above: correct them and import again\n",
    );
    expect([...(await stored()).keys()]).toEqual(["g"]);
  });

  test("saves errors as JSON lines to the requested file, or prints them on standard error", async () => {
    const file = fileOf("bad.jsonl", `${jsonLines([{ slug: "a", name: "A" }])}{\n`);
    const report = inFolder("report.jsonl");
    const finding = { line: 2, slug: "", path: "", message: "is not valid JSON" };
    const saved = await runImport(file, "--report", report, "--batch", "1");
    expect(saved.exitCode).toBe(1);
    expect(saved.stderr).toContain(
      `error: 1 row was refused; the reasons are in ${report}: correct them and import again with --from-line 2\n`,
    );
    expect(readFileSync(report, "utf8")).toBe(`${JSON.stringify(finding)}\n`);
    const told = await run("--json", "product", "import", file);
    expect(
      told.stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([{ finding }, { progress: { read_line: 2, stored_line: 0, rows: 2 } }]);
    expect(JSON.parse(told.stdout)).toMatchObject({ refused: 1, held_back: 1 });
    const good = await runImport(
      fileOf("good.jsonl", jsonLines([{ slug: "a", name: "A" }])),
      "--report",
      report,
    );
    expect(good.exitCode).toBe(0);
    expect(readFileSync(report, "utf8")).toBe("");
  });

  test("escapes control characters of the file in terminal output", async () => {
    const { stderr } = await runImport(fileOf("x.jsonl", '{"slug":"\\u001b[2J\\r\\nx","\\u001b[31m":1}\n'));
    expect(stderr).toContain("line 1 (\uFFFD[2J\uFFFD\uFFFDx): ");
    expect(stderr).not.toMatch(/[\u001b\r]/);
  });

  test("adds missing categories and tags only when allowed", async () => {
    const row = { slug: "a", name: "A", category: "icons", subcategory: "line-icons", tags: ["free"] };
    const file = fileOf("new.jsonl", jsonLines([row]));
    expect(await json("product", "import", file)).toMatchObject({ refused: 1 });
    expect(await json("product", "import", file, "--create-missing")).toMatchObject({ created: 1 });
    expect((await run("category", "list")).stdout).toBe(
      "CATEGORY      NAME        PRODUCTS\nicons         Icons       1\n  line-icons  Line icons  1\n",
    );
    expect((await run("tag", "list")).stdout).toBe("TAG   NAME  PRODUCTS\nfree  Free  1\n");
  });

  test("refuses lines that are too long without buffering them, and continues after them", async () => {
    const long = `{"slug":"b","name":"B","description":"${"x".repeat(2_000_000)}"}`;
    const file = fileOf(
      "long.jsonl",
      ['{"slug":"a","name":"A"}', long, '{"slug":"c","name":"C"}'].join("\n"),
    );
    const { exitCode, stderr } = await runImport(file, "--batch", "1");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("line 2: the row is longer than 256 KiB\n");
    expect([...(await stored()).keys()]).toEqual(["a", "c"]);
  });

  test("reads standard input, with a byte order mark and without a last line end", async () => {
    const result = await pipe(
      '\uFEFF{"slug":"a","name":"Å"}\r\n{"slug":"b","name":"B"}',
      "product",
      "import",
      "-",
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("created    2\n") });
    expect((await stored()).get("a")).toMatchObject({ name: "Å" });
    const csv = await pipe("slug,tagline\na,Bright\n", "product", "import", "-", "--format", "csv");
    expect(csv).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("updated    1\n") });
  });

  test("continues automatically when core was away for a moment", async () => {
    const file = fileOf("large.jsonl", jsonLines(numbered(1_000)));
    const proxy = await startTcpProxy(Number(core.address.split(":").at(-1)));
    const throughProxy = { ...core.env, ATELIER_CORE_ADDRESS: `127.0.0.1:${proxy.port}` };
    const args = ["--json", "product", "import", file, "--create-missing", "--batch", "20"];
    const result = runCliHere(throughProxy, ...args);
    // The fault hits the second batch: the first one was answered, so the import knows that core exists.
    await waitFor("more products than the first batch", async () => (await stored()).size > 20);
    await proxy.cut();
    const whileAway = (await stored()).size;
    await proxy.restore();
    const { exitCode, stdout } = await result;
    await proxy.cut();
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1_000, refused: 0, stored_line: 1_000 });
    expect(whileAway).toBeLessThan(1_000);
    expect((await stored()).size).toBe(1_000);
  });
});

describe("an import of CSV", () => {
  useCore();

  test("reads every column type; an absent column keeps its values, an empty cell clears them", async () => {
    const first = [
      "slug,name,status,price_regular_cents,sale_price_cents,sale_starts_at,sale_ends_at,plus_only,tags,rating_average,category,description",
      'a,"A ""great"" kit",published,4900,3900,2026-01-01T00:00:00Z,,TRUE,"x, y",4.5,icons,"two',
      'lines, with a comma"',
      "b, B ,,,,,,,,,,",
    ];
    const file = fileOf("first.csv", `\uFEFF${first.join("\r\n")}\r\n`);
    expect(await json("product", "import", file, "--create-missing")).toMatchObject({
      created: 2,
      stored_line: 4,
    });
    expect(await json("product", "import", file)).toMatchObject({ unchanged: 2 });
    const products = await stored();
    expect(products.get("a")).toMatchObject({
      name: 'A "great" kit',
      status: "published",
      price_regular_cents: 4900,
      sale: { price_cents: 3900, starts_at: "2026-01-01T00:00:00.000Z", ends_at: null },
      plus_only: true,
      tags: ["x", "y"],
      rating_average: 4.5,
      category: "icons",
      description: "two\r\nlines, with a comma",
    });
    expect(products.get("b")).toMatchObject({
      name: "B",
      status: "draft",
      sale: null,
      tags: [],
      plus_only: false,
    });

    const next = fileOf("next.csv", "slug,name,status,price_regular_cents,tags\na,,,,\n");
    expect(await json("product", "import", next)).toMatchObject({ updated: 1 });
    expect((await stored()).get("a")).toMatchObject({
      name: 'A "great" kit',
      status: "published",
      price_regular_cents: null,
      tags: [],
      plus_only: true,
      sale: { price_cents: 3900 },
    });
  });

  test("names the first line of a bad row and its column, also after cells with several lines", async () => {
    const text = [
      "slug,name,price_regular_cents,plus_only,sale_price_cents,sale_starts_at,sale_ends_at",
      'a,"A',
      '",1,false,,,',
      "b,B,4 900,yes,,,",
      "c,C",
      "d,D,1,,12.5,2026-02-01T00:00:00Z,2026-01-01T00:00:00Z",
      ",E,1,,,,",
      'f,5" F,1,,,,',
      "g,G,,,,2026-01-01T00:00:00Z,",
      `h,H,${"9".repeat(400)},,,,`,
      "i,I\0,,,,,",
    ];
    const { exitCode, stderr } = await runImport(fileOf("bad.csv", text.join("\r\n")), "--batch", "1");
    expect(exitCode).toBe(1);
    expect(stderr.split("\n").filter((line) => line.startsWith("line ") && !line.includes("read,"))).toEqual([
      "line 4 (b): price_regular_cents must be a number such as 4900",
      "line 4 (b): plus_only must be true or false",
      "line 5 (c): the row has 2 cells, but the first line names 7 columns",
      "line 6 (d): sale_price_cents must be a whole number",
      "line 7: slug must be lower-case letters and digits, joined by hyphens",
      "line 8 (f): the row has a quote inside a cell that is not quoted",
      "line 9 (g): sale_price_cents must be a number",
      "line 10 (h): price_regular_cents must be a number such as 4900",
      "line 11 (i): name must be one line of well-formed text",
    ]);
    expect([...(await stored()).keys()]).toEqual(["a"]);
  });
});

describe("the header of a CSV file", () => {
  test.each([
    ["an unknown column", "slug,price\na,1\n", /there is no column "price"\. The columns are slug, id, name/],
    ["other separators", "slug;name\na;A\n", /separated by commas; there is no column "slug;name"/],
    ["a column twice", "slug,name,name\n", /the column name is there twice/],
    ["no slugs", "name\nA\n", /no column slug/],
    ["half a sale", "slug,sale_price_cents\na,1\n", /come together; sale_starts_at, sale_ends_at is missing/],
    ["no content", "\n\n", /the file is empty/],
    ["another encoding", Buffer.from("slug,name\n", "utf16le"), /there is no column|not valid UTF-8/],
  ])("is refused before core is called when it has %s", async (_what, content, reason) => {
    const file = fileOf("header.csv", content);
    const { exitCode, stdout, stderr } = await runCliHere(nowhere(), "product", "import", file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("has a column for every field of a product", () => {
    const fields = Object.keys(productRowSchema.shape).flatMap((field) =>
      field === "sale" ? ["sale_price_cents", "sale_starts_at", "sale_ends_at"] : [field],
    );
    expect(CSV_COLUMNS.toSorted()).toEqual(fields.toSorted());
  });
});

describe("export and import", () => {
  useCore();

  const slug = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}$/);
  const line = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => `n${text.replaceAll(/\p{Cc}/gu, "")}`);
  const text = fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.string({
        unit: fc.constantFrom('"', ",", "\r", "\n", "\t", " ", ";", "=", "ü", "\u2028", "\uFEFF"),
        maxLength: 12,
      }),
    )
    .map((value) => value.replaceAll("\0", ""));
  const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
  const cents = fc.integer({ min: 0, max: 100_000_000 });
  const time = fc
    .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString());
  const sale = fc.tuple(cents, orNull(time), orNull(time)).map(([price_cents, a, b]) => ({
    price_cents,
    starts_at: a,
    ends_at: a !== null && b !== null && b <= a ? null : b,
  }));
  const product = fc.record(
    {
      slug,
      name: line,
      id: fc.uuid(),
      status: fc.constantFrom(...PRODUCT_STATUSES),
      tagline: orNull(text),
      description: orNull(text),
      price_regular_cents: orNull(cents),
      client_price_cents: orNull(cents),
      sale: orNull(sale),
      pricing_tier: orNull(slug),
      plus_only: fc.boolean(),
      demo_url: orNull(fc.webUrl()),
      cover_image_url: orNull(fc.constantFrom("/covers/a.png", "/covers/b,c.png")),
      category: orNull(fc.constantFrom("icons", "fonts")),
      tags: fc.array(slug, { maxLength: 4 }),
      rating_average: orNull(fc.double({ min: 0, max: 5, noNaN: true })),
      rating_count: fc.nat(1_000_000_000),
      popularity: fc.maxSafeNat(),
      featured_rank: orNull(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })),
      home_order: orNull(fc.integer({ min: -5, max: 5 })),
      published_at: orNull(time),
      cost_cents: orNull(cents),
      supplier_notes: orNull(text),
      download_key: orNull(text),
    },
    { requiredKeys: ["slug", "name"] },
  );
  const catalog = fc.uniqueArray(product, {
    selector: (row) => row.slug,
    minLength: 1,
    maxLength: 20,
  });

  test.each(["jsonl", "csv"])("round-trip any products as %s, also into an empty catalog", async (format) => {
    const empty = await startTestCore();
    const inEmpty = (...args: string[]) => runCliHere(empty.env, ...args);
    try {
      await fc.assert(
        fc.asyncProperty(catalog, async (rows) => {
          for (const { app } of [core, empty]) await app.mongo.db.collection("products").deleteMany({});
          const first = await runImport(fileOf("any.jsonl", jsonLines(rows)), "--create-missing");
          expect(first).toMatchObject({ exitCode: 0 });
          const file = inFolder(`round.${format}`);
          const count = rows.length;
          expect(await json("product", "export", "--out", file)).toEqual({ rows: count, file, format });
          expect(await json("product", "import", file)).toMatchObject({ rows: count, unchanged: count });
          expect(await inEmpty("product", "import", file, "--create-missing")).toMatchObject({
            exitCode: 0,
          });
          expect((await inEmpty("product", "export")).stdout).toBe((await run("product", "export")).stdout);
        }),
        { numRuns: drawn(15) },
      );
    } finally {
      await empty.close();
    }
  });

  test("filter by status", async () => {
    await runImport(
      fileOf(
        "two.jsonl",
        jsonLines([
          { slug: "a", name: "A", status: "beta" },
          { slug: "b", name: "B" },
        ]),
      ),
    );
    const { stdout } = await run("product", "export", "--status", "beta", "--format", "csv");
    expect(stdout.split("\n").map((line) => line.split(",")[0])).toEqual(["slug", "a", ""]);
  });

  test("keep the old file when the export fails, and leave no partial file", async () => {
    const inside = inFolder("exports");
    mkdirSync(inside);
    const file = join(inside, "all.jsonl");
    writeFileSync(file, "before");
    expect(await runCliHere(nowhere(), "product", "export", "--out", file)).toMatchObject({ exitCode: 1 });
    expect(readFileSync(file, "utf8")).toBe("before");
    await runImport(fileOf("a.jsonl", jsonLines([{ slug: "a", name: "A" }])));
    expect(await run("product", "export", "--out", file)).toMatchObject({
      exitCode: 0,
      stdout: `1 product written to ${file}\n`,
    });
    expect(readdirSync(inside)).toEqual(["all.jsonl"]);
    // The export contains costs, notes and download keys.
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("set-status", () => {
  useCore();

  test("publishes and unpublishes a product", async () => {
    await runImport(fileOf("a.jsonl", jsonLines([{ slug: "a", name: "A" }])));
    expect(await run("product", "set-status", "a", "published")).toEqual({
      exitCode: 0,
      stdout: "a is published now, before it was draft\n",
      stderr: "",
    });
    expect((await run("product", "set-status", "a", "published")).stdout).toBe("a was published already\n");
    expect(await json("product", "set-status", "a", "archived")).toMatchObject({
      slug: "a",
      before: "published",
      status: "archived",
    });
    expect((await stored()).get("a")).toMatchObject({ status: "archived" });
  });

  test("refuses an unknown status or product", async () => {
    expect(await run("product", "set-status", "a", "gone")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("draft, published, featured, coming_soon, beta, archived"),
    });
    expect(await run("product", "set-status", "a", "beta")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: There is no product with this slug\..*\n$/),
    });
  });
});

describe("an import file that cannot be read", () => {
  test("exits with 2 and one line, before core is called", async () => {
    const data = fileOf("data.jsonl", "{}\n");
    for (const [args, reason] of [
      [["product", "import", inFolder("none.csv")], /none\.csv cannot be read: ENOENT/],
      [["product", "import", inFolder(), "--format", "csv"], /is a folder/],
      [["product", "import", fileOf("data.txt", "")], /add --format jsonl or --format csv/],
      [["product", "import", data, "--report", data], /is the file to read/],
      [["product", "import", data, "--report", inFolder("none", "r")], /cannot be written/],
      [["product", "import", data, "--batch", "1001"], /From 1 to 1000/],
      [["product", "import", data, "--from-line", "0"], /counted from 1/],
      [["product", "export", "--out", inFolder("none", "x.csv")], /cannot be written/],
      [["product", "export", "--out", "x.xlsx"], /add --format/],
    ] as const) {
      const { exitCode, stderr } = await runCliHere(nowhere(), ...args);
      expect({ args, exitCode }).toEqual({ args, exitCode: 2 });
      expect(stderr).toMatch(reason);
    }
    expect(readFileSync(data, "utf8")).toBe("{}\n");
    expect(existsSync(inFolder("none"))).toBe(false);
  });

  test("is explained by the help, which fits a terminal", async () => {
    const { exitCode, stdout } = await runCliHere({}, "product", "import", "--help");
    expect(exitCode).toBe(0);
    for (const column of CSV_COLUMNS) expect(stdout).toContain(column);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});

describe("an export whose reader closes the pipe", () => {
  useCore();

  test("exits without an error message", async () => {
    await runImport(fileOf("many.jsonl", jsonLines(numbered(1_500))), "--create-missing");
    const whole = await runCliProcess(core.env, "product", "export");
    expect(whole.stdout.split("\n")).toHaveLength(1_501);
    const child = spawn(process.execPath, [CLI_ENTRY, "product", "export"], {
      env: { ...COMPILED, ...core.env },
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.once("data", () => child.stdout.destroy());
    const [exitCode] = await once(child, "close");
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  });
});

/** Runs the command in a separate process with this standard input. */
function pipe(input: string, ...args: string[]): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI_ENTRY, ...withReason(args)],
      { env: { ...COMPILED, ...core.env } },
      (error, stdout, stderr) => resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
