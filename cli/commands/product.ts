// atelier product import | export | set-status; files are in product-file.ts
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { PRODUCT_STATUSES } from "../../proto/resources/product.ts";
import { UsageError } from "../failure.ts";
import { createReport, openFile, replaceFile } from "../files.ts";
import { addFiles, createFileFinder, type FileCounts } from "../import-files.ts";
import {
  createRetryingSend,
  type ImportOptions,
  type ImportProgress,
  importRows,
  MAX_BATCH_ROWS,
} from "../import-rows.ts";
import { count, counted, fields } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import {
  CSV_COLUMNS,
  csvHeader,
  type Finding,
  type Format,
  FORMATS,
  readRows,
  toColumn,
  writeRow,
} from "../product-rows.ts";
import type { Cli } from "../session.ts";
import { addFile, addProductFileCommands, FIRST_VERSION } from "./product-file.ts";

/** A batch may have to wait for its turn among other writers. */
const BATCH_DEADLINE_MS = 30_000;
const PROGRESS_EVERY_MS = 1_000;
/** The number of characters that are written at a time. */
const WRITE_CHARACTERS = 64 * 1024;

type ImportFlags = {
  format?: Format;
  batch: number;
  fromLine: number;
  dryRun?: boolean;
  createMissing?: boolean;
  report?: string;
  files?: string;
  filesVersion: string;
};

type ExportFlags = { format?: Format; out?: string; status: string };

const FORM = `
A line of JSON is one object with slug (and name for a new product) and any other field; a field that is
absent keeps its value, null clears it. A CSV file names its columns in the first line; a column that is
absent keeps its values, an empty cell clears. Prices are whole US cents. Tags in a cell are separated by
commas. The same import again changes nothing. Columns:
${wrap(CSV_COLUMNS.join(", "))}`;

export function addProductCommands(program: Command, cli: Cli): void {
  const product = program
    .command("product")
    .description("import, export and publish products, and their files");
  addProductFileCommands(product, cli);

  product
    .command("import <file>")
    .description("add or change products by their slugs, from JSON lines or CSV (- for standard input)")
    .addOption(formatOption("format of the input"))
    .option("--dry-run", "check and count all rows without writing")
    .option("--create-missing", "create missing categories and tags")
    .option("--batch <rows>", "rows per batch; a batch with an invalid row is not stored", batchRows, 500)
    .option("--from-line <line>", "skip rows before this line, to continue an import", fromLine, 1)
    .option(
      "--files <folder>",
      "add to each product the file in this folder that its download_key names (needs --reason)",
    )
    .option("--files-version <version>", "version of these files", FIRST_VERSION)
    .option("--report <file>", "write the problems by line as JSON lines")
    .addHelpText("after", FORM)
    .action((file: string, flags: ImportFlags) => importProducts(cli, file, flags));

  product
    .command("export")
    .description("write all products with private fields, in the form that import reads")
    .addOption(formatOption("format of the output"))
    .option("--out <file>", "write to this file instead of standard output")
    .addOption(new Option("--status <status>", "only these").choices(PRODUCT_STATUSES).default("", "all"))
    .action((flags: ExportFlags) => exportProducts(cli, flags));

  product
    .command("set-status <slug>")
    .addArgument(new Argument("<status>", "new status").choices(PRODUCT_STATUSES))
    .description("publish or unpublish a product")
    .action((slug: string, status: string) =>
      cli.report(
        (core) => core.catalogAdmin.SetProductStatus({ slug, status }),
        (done) =>
          done.before === done.status
            ? `${done.slug} was ${done.status} already`
            : `${done.slug} is ${done.status} now, before it was ${done.before}`,
      ),
    );
}

async function importProducts(
  cli: Cli,
  file: string,
  { report: reportPath, ...flags }: ImportFlags,
): Promise<void> {
  const format = flags.format ?? formatOf(file);
  const input = await openFile(file);
  const options: ImportOptions = {
    batchRows: flags.batch,
    fromLine: flags.fromLine,
    dryRun: flags.dryRun ?? false,
    createMissing: flags.createMissing ?? false,
  };
  let report: ReturnType<typeof createReport> | undefined;
  const progress = createProgress(cli, options);
  const onFinding = (found: Finding) => {
    const finding = { ...found, path: toColumn(found.path, format) };
    if (report) report.add(finding);
    else cli.note({ finding }, describe(finding));
  };
  try {
    if (reportPath !== undefined) report = createReport(reportPath, file);
    const finder = flags.files === undefined ? undefined : createFileFinder(flags.files, onFinding);
    const rows = readRows(input, format);
    const end = await cli.withCore(async (core) => {
      const send = createRetryingSend((batch) =>
        core.catalogAdmin.ImportProducts(batch, { deadlineMs: BATCH_DEADLINE_MS }),
      );
      const stored = await importRows(finder ? finder.through(rows, options.fromLine) : rows, options, {
        send,
        onFinding,
        onProgress: progress.note,
      });
      // A product that differs from its row gets no file either.
      const mayAdd = finder && !options.dryRun && stored.counts.refused === 0;
      const version = flags.filesVersion;
      const files = await addFiles(
        mayAdd ? finder.files : [],
        ({ slug, path }) => addFile(core, { slug, path, version }),
        onFinding,
      );
      return { ...stored, ...(finder && { files: { ...files, missing: finder.missing() } }) };
    });
    showEnd(cli, end, { ...options, report: reportPath });
  } catch (error) {
    progress.tellLast();
    throw error;
  } finally {
    report?.close();
    input.destroy();
  }
}

/** Reports how far an import is: after the first batch, so that it can be continued, then every second. */
function createProgress(cli: Cli, { dryRun, fromLine }: ImportOptions) {
  let last: ImportProgress | undefined;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let told: ImportProgress | undefined;
  function tell(): void {
    if (!last || last === told) return;
    const { readLine, storedLine, counts } = last;
    told = last;
    toldAtMs = performance.now();
    const stored = dryRun
      ? "checked"
      : storedLine < fromLine
        ? "nothing is stored"
        : `everything up to line ${storedLine} is stored; to go on from there: --from-line ${storedLine + 1}`;
    cli.note(
      { progress: { read_line: readLine, ...(!dryRun && { stored_line: storedLine }), rows: counts.rows } },
      `line ${readLine}: ${counted(counts.rows, "row")} read, ${stored}`,
    );
  }
  return {
    note: (progress: ImportProgress) => {
      last = { ...progress, counts: { ...progress.counts } };
      if (performance.now() - toldAtMs >= PROGRESS_EVERY_MS) tell();
    },
    tellLast: tell,
  };
}

type ImportEnd = ImportProgress & { files?: FileCounts & { missing: number } };

function showEnd(
  cli: Cli,
  { counts, readLine, storedLine, files }: ImportEnd,
  { dryRun, report }: { dryRun: boolean; report: string | undefined },
): void {
  const { heldBack, ...told } = counts;
  cli.show(
    {
      dry_run: dryRun,
      ...told,
      held_back: heldBack,
      read_line: readLine,
      ...(!dryRun && { stored_line: storedLine }),
      ...(files && { files }),
    },
    fields([
      ["rows", `${count(counts.rows)}${dryRun ? " (dry run: nothing is written)" : ""}`],
      ["created", count(counts.created)],
      ["updated", count(counts.updated)],
      ["unchanged", count(counts.unchanged)],
      ["refused", count(counts.refused)],
      ["held back", count(counts.heldBack)],
      ...(files ? filesLines(files) : []),
    ]),
  );
  if (files && files.refused + files.missing > 0)
    cli.fail(
      `${counted(files.refused + files.missing, "file was", "files were")} not added; the reasons are ${report === undefined ? "above" : `in ${report}`}`,
    );
  if (counts.refused === 0) return;
  const more =
    heldBack === 0 ? "" : `, and ${counted(heldBack, "good row")} of the same batches held back with them`;
  const where = report === undefined ? "above" : `in ${report}`;
  const next = dryRun
    ? "correct them before the import"
    : `correct them and import again${storedLine > 0 ? ` with --from-line ${storedLine + 1}` : ""}`;
  cli.fail(
    `${counted(counts.refused, "row was", "rows were")} refused${more}; the reasons are ${where}: ${next}`,
  );
}

function filesLines({ added, unchanged, refused, missing }: FileCounts & { missing: number }) {
  return [
    ["files added", count(added)],
    ["files unchanged", count(unchanged)],
    ["files refused", count(refused)],
    ["files missing", count(missing)],
  ] as const;
}

function describe({ line, slug, path, message }: Finding): string {
  const text = `line ${line}${slug && ` (${slug})`}: ${path || "the row"} ${message}`;
  // Text from a third party must not control the terminal.
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{FFFD}");
}

async function exportProducts(cli: Cli, { format: given, out, status }: ExportFlags): Promise<void> {
  const format = given ?? formatOf(out ?? "-");
  const write = (to: (text: string) => Promise<void>) =>
    cli.withCore(async (core) => {
      let rows = 0;
      let held = format === "csv" ? csvHeader() : "";
      for await (const { json } of core.catalogAdmin.ExportProducts({ status })) {
        held += writeRow(json, format);
        rows++;
        if (held.length < WRITE_CHARACTERS) continue;
        await to(held);
        held = "";
      }
      if (held) await to(held);
      return rows;
    });
  if (out === undefined) {
    await write(cli.write);
    return;
  }
  const rows = await replaceFile(out, write);
  cli.show({ rows, file: out, format }, `${counted(rows, "product")} written to ${out}`);
}

function formatOption(what: string): Option {
  return new Option(
    "--format <format>",
    `${what}; by default from the file name (.jsonl, .csv), otherwise jsonl`,
  ).choices(FORMATS);
}

function formatOf(file: string): Format {
  if (file === "-" || /\.(jsonl|ndjson)$/i.test(file)) return "jsonl";
  if (/\.csv$/i.test(file)) return "csv";
  throw new UsageError(`the name of ${file} does not show its format: add --format jsonl or --format csv`);
}

function batchRows(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_BATCH_ROWS) throw new InvalidArgumentError(`From 1 to ${MAX_BATCH_ROWS}.`);
  return value;
}

function fromLine(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError("Lines are counted from 1.");
  return value;
}

/** Lines that fit a terminal. */
function wrap(text: string): string {
  return text.replaceAll(/(.{1,98})(?: |$)/g, "  $1\n").trimEnd();
}
