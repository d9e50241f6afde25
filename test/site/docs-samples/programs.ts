// The samples of docs/guide as runnable programs: one for each chapter and language, with the expected output.
import { startOf, type Chapter } from "../../../gateway/site/docs/chapters.ts";
import type { Block, Language, Sample } from "../../../gateway/site/docs/guide-text.ts";

/** `json`: the last line is such a response. `text`: this is printed, with anything in place of each `…`. */
type Expected = { readonly kind: "json" | "text"; readonly text: string };

export type Program = {
  readonly chapter: string;
  readonly language: Language;
  readonly text: string;
  /** For each sample in it, in order. */
  readonly expected: readonly Expected[];
};

/** The output of a program after each of its samples. */
export const MARK = "\u001e";
const PRINT_MARK: Record<Language, string> = {
  bash: String.raw`printf '\n\036\n'`,
  javascript: String.raw`console.log("\n\u001e");`,
  python: String.raw`print("\n\x1e", flush=True)`,
  go: String.raw`fmt.Println("\n\x1e")`,
};
const GO_PLACE = /\t\/\/ Samples go here\.\n[^}]*/;
const GO_IMPORTS = /^import (?:\(\n([\s\S]*?)\n\)|("[^"]+"))\n\n/;

/** Throws if a sample has no documented output, because its test could not fail. */
export function programsOf(chapters: readonly Chapter[], language: Language): Program[] {
  const start = startOf(chapters);
  const beginning = start.find((sample) => sample.language === language)?.text ?? "";
  return chapters.flatMap((chapter, i) => {
    const samples = samplesOf(chapter, language, start);
    if (samples.length === 0) return [];
    const begins = i === 0 || chapter.blocks.some((block) => block.kind === "made" && block.name === "start");
    const parts = samples.map(({ text }) => text);
    return [
      {
        chapter: chapter.slug,
        language,
        text: assemble(language, begins ? beginning : "", parts),
        expected: samples.map(({ expected }) => expected),
      },
    ];
  });
}

/** Programs that wait for a webhook. */
export function endpointsOf(chapters: readonly Chapter[]): Sample[] {
  return chapters.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "samples" ? block.samples.filter(({ isReceiver }) => isReceiver) : [],
    ),
  );
}

function samplesOf(
  { slug, blocks }: Chapter,
  language: Language,
  start: readonly Sample[],
): { text: string; expected: Expected }[] {
  return blocks.flatMap((block, i) => {
    if (block.kind !== "samples" || block.samples === start) return [];
    const sample = block.samples.find((one) => one.language === language && !one.isReceiver);
    if (!sample) return [];
    const expected = expectedOf(blocks.slice(i + 1, i + 3), language);
    if (!expected) throw new Error(`a sample of ${slug} in ${language} does not say what it prints`);
    return [{ text: sample.text, expected }];
  });
}

/** curl prints the response, the others print by code. */
function expectedOf(following: readonly Block[], language: Language): Expected | undefined {
  const found = (kind: "json" | "text") => {
    for (const block of following) {
      if (block.kind !== "code") return undefined;
      if (block.language === kind) return { kind, text: block.text };
    }
    return undefined;
  };
  return language === "bash" ? (found("json") ?? found("text")) : found("text");
}

function assemble(language: Language, start: string, parts: readonly string[]): string {
  const print = PRINT_MARK[language];
  if (language !== "go") {
    const strict = language === "bash" ? "set -euo pipefail" : "";
    return [strict, start, ...parts.map((part) => `${part}\n${print}`)].join("\n");
  }
  // A complete program is unchanged; others follow the chapter's beginning.
  if (start === "") return parts.join("\n").replace(/\n}\s*$/, `\n\t${print}\n}`);
  const imports = parts.flatMap((part) => {
    const [, block, single] = GO_IMPORTS.exec(part) ?? [];
    return (block ?? single ?? "").split("\n");
  });
  const body = parts.map((part) => `${part.replace(GO_IMPORTS, "")}\n${print}`).join("\n");
  return start
    .replace(GO_PLACE, () => `${body}\n`)
    .replace("import (", `import (\n${[...new Set(imports)].join("\n")}`);
}
