// `npm run sample-words -- COMMIT [SEED]`: writes a seeded sample of paragraphs, comments, test names and error messages, of that commit
// and of the working tree, to artifacts/words/ for a person to review. An unchanged text in one sample is usually in both.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(ROOT, "artifacts/words");
const TITLE = /\b(?:test|describe)(?:\.\w+)*(?:\(\[[^]*?\]\))?\(\s*(["'`])((?:(?!\1).)+)\1/g;
const MESSAGE =
  /(?:\bmessage|\bhint): (["'`])((?:(?!\1).){12,})\1|new (?:\w*Error|Refusal)\((?:"\w+", )?(["'`])((?:(?!\3).){12,})\3/g;

/** The kinds of text, the size of their samples, and how a file's texts are found. */
const KINDS: readonly [kind: string, count: number, find: (path: string, text: string) => string[]][] = [
  [
    "paragraphs",
    50,
    (path, text) => (/^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(path) ? paragraphsOf(text) : []),
  ],
  [
    "comments",
    50,
    (path, text) => (/\.(?:ts|js)$/.test(path) && !/\/dist\//.test(path) ? commentsOf(text) : []),
  ],
  [
    "test names",
    50,
    (path, text) =>
      path.endsWith(".test.ts") ? [...text.matchAll(TITLE)].map(([, , title = ""]) => title) : [],
  ],
  [
    "error messages",
    30,
    (path, text) =>
      /^(?:core|gateway|mcp|edge|proto|runtime|cli)\/.*\.ts$/.test(path)
        ? [...text.matchAll(MESSAGE)].map((found) => found[2] ?? found[4] ?? "")
        : [],
  ],
];

export type File = readonly [path: string, text: string];

/** For each kind, the texts that the seed selects. The order depends on seed and text only. */
export function sampleOf(files: readonly File[], seed: string): Map<string, string[]> {
  const rank = (text: string) => createHash("sha256").update(`${seed} ${text}`).digest("hex");
  return new Map(
    KINDS.map(([kind, count, find]) => {
      const texts = [...new Set(files.flatMap(([path, text]) => find(path, text)))];
      const ranked = texts
        .map((text) => [rank(text), text] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      return [kind, ranked.slice(0, count).map(([, text]) => text)];
    }),
  );
}

/** Prose of more than five words: no headings, tables, code or generated parts. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/^ *(```|~~~)[^]*?^ *\1/gm, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((part) => part.trim().replaceAll(/\s+/g, " "))
    .filter((part) => !/^[#|<![]/.test(part) && part.split(" ").length > 5);
}

function commentsOf(text: string): string[] {
  return [...text.matchAll(/^\s*\/\*\*?([^]*?)\*\/|(?:^[ \t]*\/\/ .*\n)+/gm)]
    .map(([whole]) =>
      whole
        .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, "")
        .trim()
        .replaceAll(/\s+/g, " "),
    )
    .filter((comment) => comment.split(" ").length > 3);
}

/** The texts of this folder's tracked files, at that commit or in the working tree. */
function filesOf(commit?: string): File[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (commit) {
    git("archive", "--output", `${OUT}/then.tar`, commit);
    execFileSync("tar", ["--extract", "--one-top-level", "--file", "then.tar"], { cwd: OUT });
  }
  const from = commit ? join(OUT, "then") : ROOT;
  return (commit ? git("ls-tree", "-r", "--name-only", commit) : git("ls-files"))
    .split("\n")
    .filter((path) => /\.(?:md|ts|js)$/.test(path))
    .map((path) => [path, readFileSync(join(from, path), "utf8")]);
}

if (import.meta.main) {
  const [commit, seed = "1"] = process.argv.slice(2);
  if (!commit) throw new Error("Name the commit to compare with: npm run sample-words -- COMMIT [SEED]");
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const before = sampleOf(filesOf(commit), seed);
  const now = sampleOf(filesOf(), seed);
  const cell = (text = "") => text.replaceAll("|", "\\|");
  for (const [kind, count] of KINDS) {
    const rows = Array.from(
      { length: count },
      (_, i) => `| ${i + 1} | ${cell(before.get(kind)?.[i])} | ${cell(now.get(kind)?.[i])} |`,
    );
    const file = join(OUT, `${kind.replaceAll(" ", "-")}.md`);
    writeFileSync(file, [`| ${kind} | ${commit} | now |`, "| --- | --- | --- |", ...rows, ""].join("\n"));
    console.log(file);
  }
  for (const leftover of ["then", "then.tar"]) rmSync(join(OUT, leftover), { recursive: true });
}
