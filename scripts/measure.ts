// Measures the repository against its size targets: a step of `npm run check`. Counts the tracked files of the checkout, and fails when an
// enforced figure exceeds its target; others only report the excess. Argument: another project's folder, for tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { git } from "./release/project.ts";

const OWN_ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Only files in which people write code count as lines; documents, data and pictures do not. */
const CODE = /\.(?:ts|js|py|css|proto|html)$/;
const PRODUCT = /^(?:core|gateway|mcp|proto|runtime|edge|cli|clients)\//;
/** Written by `npm run gen` and `npm run gen:clients`. Snapshots and lockfiles are not included, because people review them. */
const GENERATED =
  /^(?:proto\/types\/|clients\/js\/dist\/|clients\/js\/src\/openapi\.ts$|clients\/python\/.*\/models\.py$)/;
const GENERATED_TEXT =
  /^(?:docs\/operations\/configuration\.md|docs\/reference\/(?:commands|events|tool-arguments)\.md|deploy\/\.env\.example)$/;
/** The project's documentation, with generated pages. */
const DOCS = /^(?:docs\/.*|README|CONTRIBUTING)\.md$/;
const TYPE = /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm;

type Figure = { what: string; count: number; target: number; isHeld: boolean; which?: readonly string[] };

const [root = OWN_ROOT] = process.argv.slice(2);
const files = git(root, "ls-files", "-z")
  .split("\0")
  .filter((file) => file !== "");
const modules = [
  ...new Set(files.filter((file) => file.startsWith("core/")).map((file) => file.split("/")[1] ?? "")),
];
const twice = typesDeclaredTwice();

const figures: readonly Figure[] = [
  { what: "product lines", count: linesOf(isProduct), target: 92_000, isHeld: false },
  { what: "modules of core", count: modules.length, target: 8, isHeld: true, which: modules },
  { what: "lines of scripts", count: linesOf(isCodeIn("scripts/")), target: 5_000, isHeld: false },
  { what: "lines of bench", count: linesOf(isCodeIn("bench/")), target: 2_500, isHeld: false },
  { what: "lines of tests", count: linesOf(isCodeIn("test/")), target: 74_000, isHeld: false },
  { what: "generated lines in git", count: linesOf(isGenerated), target: 1_500, isHeld: true },
  { what: "tracked files", count: files.length, target: 1_900, isHeld: false },
  { what: "words of docs", count: wordsOf(DOCS), target: 70_000, isHeld: false },
  {
    what: "names that two exported types of core share",
    count: twice.length,
    target: 0,
    isHeld: true,
    which: twice,
  },
];

for (const { what, count, target, isHeld, which = [] } of figures) {
  const over = count > target ? `, over by ${number(count - target)}` : "";
  const names = over === "" || which.length === 0 ? "" : `: ${which.join(", ")}`;
  console.log(
    `${what}: ${number(count)} of ${number(target)}${over}${isHeld && over ? " (FAILED)" : ""}${names}`,
  );
}
if (figures.some(({ count, target, isHeld }) => isHeld && count > target)) process.exitCode = 1;

function isProduct(file: string): boolean {
  return PRODUCT.test(file) && CODE.test(file) && !GENERATED.test(file);
}

function isGenerated(file: string): boolean {
  return GENERATED.test(file) || GENERATED_TEXT.test(file);
}

function isCodeIn(folder: string): (file: string) => boolean {
  return (file) => file.startsWith(folder) && CODE.test(file);
}

function linesOf(counts: (file: string) => boolean): number {
  return files.filter(counts).reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);
}

/** Counts like `wc -w`. */
function wordsOf(which: RegExp): number {
  return files
    .filter((file) => which.test(file))
    .reduce(
      (sum, file) =>
        sum +
        read(file)
          .split(/\s+/)
          .filter((word) => word !== "").length,
      0,
    );
}

function typesDeclaredTwice(): string[] {
  const places = new Map<string, number>();
  for (const file of files.filter((one) => one.startsWith("core/") && one.endsWith(".ts")))
    for (const [, name = ""] of read(file).matchAll(TYPE)) places.set(name, (places.get(name) ?? 0) + 1);
  return [...places].flatMap(([name, count]) => (count > 1 ? [name] : [])).sort();
}

/** Empty for a file that is deleted in the checkout but not in git. */
function read(file: string): string {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return "";
  }
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
