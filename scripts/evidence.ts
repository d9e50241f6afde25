// `npm run evidence [-- PREFIX…]`: the statements of docs/reference and the tests that show each of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** A statement is an item of a list that begins with its id; its text ends at the next item or blank line. */
const STATEMENT = /^- \*\*([A-Z]+-\d+)\*\* (.+(?:\n {2}.+)*)/gm;
/** The first string after the name of a test or a group, or after the rows of test.each. */
const TITLE =
  /(?:\b(?:test|describe)(?:\.concurrent)?|\]\)|\bconst\)|\beach(?:<[^(]+>)?\(\w+\))\(\s*(["'`])((?:(?!\1).)+)\1/gs;
const CITED = /\[([A-Z]+-\d+)\]/g;

export type Statement = { id: string; page: string; text: string };
export type TestTitle = { file: string; title: string; ids: string[] };

export function readStatements(): Statement[] {
  return filesBelow("docs/reference", ".md").flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(STATEMENT)].map(([, id = "", text = ""]) => ({
      id,
      page,
      text: text.replaceAll(/\s+/g, " "),
    })),
  );
}

export function readTestTitles(): TestTitle[] {
  return filesBelow("test", ".test.ts").flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(TITLE)].map(([, , title = ""]) => ({
      file,
      title,
      ids: [...title.matchAll(CITED)].map(([, id = ""]) => id),
    })),
  );
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}

if (import.meta.main) {
  const prefixes = process.argv.slice(2);
  const titles = readTestTitles();
  for (const { id, text, page } of readStatements()) {
    if (prefixes.length > 0 && !prefixes.some((prefix) => id.startsWith(prefix))) continue;
    console.log(`${id} ${text} (${page})`);
    for (const { file, title, ids } of titles)
      if (ids.includes(id)) console.log(`  ${file} › ${title.replaceAll(CITED, "").trim()}`);
  }
}
