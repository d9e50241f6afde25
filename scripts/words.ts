// The words that this project avoids, the field's term for each, and the texts that are checked.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@swc/core";
import { git } from "./release/project.ts";

/** Fewer texts mean that they were not found. */
const LEAST_TEXTS = 10_000;

/** prose: Markdown without its code. string: a text in the code of more than one word. name: an identifier, as words. */
type Kind = "prose" | "string" | "name";
type Rule = {
  readonly not: RegExp;
  readonly but: string;
  /** A text that the rule must report, so that no rule is dead. */
  readonly planted: string;
  /** Where the rule applies; everywhere if absent. */
  readonly kinds?: readonly Kind[];
};
export type Misuse = {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly but: string;
};
export type Text = { readonly kind: Kind; readonly line: number; readonly text: string };

export const RULES: readonly Rule[] = [
  { not: /\bat once\b/i, but: "immediately, or at the same time", planted: "Revoke it at once." },
  { not: /\bwhole li(?:fe|ves)\b/i, but: "end to end", planted: "Whole life of a job" },
  { not: /\bby (?:itself|themselves)\b/i, but: "automatically", planted: "It ends by itself." },
  { not: /\bthe yes\b|'s yes\b/i, but: "approval", planted: "It waits for the yes." },
  {
    not: /\b(?:no|any|some)body\b/i,
    but: "no one, anyone, someone, or the role",
    planted: "Nobody reads it.",
  },
  { not: /\bwhoever\b/i, but: "the person or process that", planted: "Whoever has the key can spend." },
  { not: /\bstrangers?\b/i, but: "user, visitor or caller", planted: "A stranger reads it." },
  { not: /\bseldom\b/i, but: "rarely", planted: "It seldom fails." },
  { not: /\bheed(?:s|ed|ing)?\b/i, but: "respect", planted: "Clients heed the header." },
  { not: /\bmend(?:s|ed|ing)?\b/i, but: "fix", planted: "Mend the setting." },
  { not: /\banew\b/i, but: "again", planted: "It starts anew." },
  { not: /\bmeanwhile\b/i, but: "while", planted: "Meanwhile the job waits." },
  { not: /\bfor good\b/i, but: "permanently", planted: "It is deleted for good." },
  { not: /\ball the same\b/i, but: "still", planted: "It runs all the same." },
  { not: /\bbeside\b/i, but: "next to", planted: "The key beside the name." },
  { not: /\berrands?\b/i, but: "operator context", planted: "The errand of an operator" },
  { not: /\bgiv(?:e|en|es|ing)[ -]back\b|\bgave back\b/i, but: "refund", planted: "Credits are given back." },
  { not: /\bcall(?:ed|s)? off\b|\bunwished\b/i, but: "cancel", planted: "The job was called off." },
  {
    not: /\b[Pp]ark(?:s|ed|ing)?\b/,
    but: "suspend",
    planted: "The job is parked.",
    kinds: ["prose"],
  },
  { not: /(?<!circuit )\bbreakers?\b/i, but: "circuit breaker", planted: "The breaker opens." },
  { not: /\bcallbacks?\b|^#+ Callback/, but: "webhook", planted: "Verify the callback.", kinds: ["prose"] },
  {
    not: /\d ×|\d %/,
    but: "3.7x and 50%, without a space",
    planted: "It is 3.7 × faster.",
    kinds: ["prose"],
  },
  {
    not: /\bredeliver(?:y|ies|s|ed)\b/i,
    but: "resend",
    planted: "The redelivery has the same id.",
    kinds: ["prose"],
  },
  { not: /\bobtain(?:s|ed|ing)?\b/i, but: "fetch, get or create", planted: "Obtain the result." },
  { not: /\b(?:un)?wish(?:es|ed)?\b/i, but: "request", planted: "The user wishes to cancel." },
  { not: /\bmoods?\b/i, but: "phase", planted: "The mood of a workflow" },
  { not: /\bsettl\w+ (?:a |the )?jobs?\b/i, but: "finalize a job", planted: "Settling jobs takes a write." },
  { not: /\bsums of (?:the )?files?\b/i, but: "checksums", planted: "Compare the sums of the files." },
  {
    not: /\b(?:in|from|on) our (?:logs?|side|service|database)\b/i,
    but: "the service's",
    planted: "It is in our logs.",
  },
  { not: /\btells of\b/i, but: "names, shows or reports", planted: "The event tells of the job." },
  {
    not: /\b(?:an|the|its|this|each|every|of) answers?\b/i,
    but: "response",
    planted: "Keep the answer.",
  },
  {
    not: /\bnewest run\b|\bon that day\b|\bwas tried\b|\bat an earlier stop\b|\bsince then\b/i,
    but: "the present state: history belongs in git",
    planted: "In the newest run it passed.",
  },
];

/** The misuses in all texts of the repository, and the number of texts. */
export async function findMisuses(root: string): Promise<{ texts: number; misuses: Misuse[] }> {
  const misuses: Misuse[] = [];
  let texts = 0;
  for (const file of filesOf(root)) {
    for (const text of await textsOf(file, readFileSync(join(root, file), "utf8"))) {
      texts += 1;
      for (const { found, but } of misusesOf(text)) misuses.push({ file, line: text.line, found, but });
    }
  }
  return { texts, misuses };
}

export function misusesOf({ kind, text }: Text): { found: string; but: string }[] {
  const prose = text.replace(/`[^`]*`/g, "`code`");
  return RULES.flatMap(({ not, but, kinds }) => {
    const found = kinds === undefined || kinds.includes(kind) ? not.exec(prose)?.[0] : undefined;
    return found === undefined ? [] : [{ found, but }];
  });
}

/** The texts of one file that a person reads. */
export async function textsOf(file: string, source: string): Promise<Text[]> {
  if (extname(file) === ".md") return proseOf(source);
  return stringsOf(source);
}

/** Tracked files with the project's own words: no tests, licences, built files or prompts of sample pictures. */
function filesOf(root: string): string[] {
  return git(root, "ls-files", "--cached", "--others", "--exclude-standard")
    .split("\n")
    .filter((file) => /\.(?:md|ts|js|mjs)$/.test(file))
    .filter(
      (file) =>
        !/^(?:scripts\/words\.ts|test\/|gateway\/site\/samples\/samples\.ts|artifacts\/)|LICENSE|\/dist\//.test(
          file,
        ),
    );
}

function proseOf(source: string): Text[] {
  const prose = source
    .replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`]*`/g, (code) => `\`code\`${"\n".repeat(code.split("\n").length - 1)}`)
    .replace(/\]\([^)]*\)/g, "]");
  return prose.split("\n").map((text, at) => ({ kind: "prose", line: at + 1, text }));
}

/** The same number of lines, without their text. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, "");
}

async function stringsOf(source: string): Promise<Text[]> {
  const tree = await parse(source, { syntax: "typescript", target: "esnext" });
  const found = new Map<string, Text>();
  collect(tree, (kind, text) => {
    const words = kind === "name" ? text.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, " ") : text;
    if (/[a-z] [a-z]/i.test(words)) found.set(text, { kind, line: lineOf(source, text), text: words });
  });
  return [...found.values()];
}

function collect(node: unknown, note: (kind: Kind, text: string) => void): void {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node) {
    if (node.type === "StringLiteral" && "value" in node) note("string", String(node.value));
    if (node.type === "TemplateElement" && "raw" in node) note("string", String(node.raw));
    if (node.type === "Identifier" && "value" in node) note("name", String(node.value));
  }
  for (const value of Object.values(node)) collect(value, note);
}

/** Where a text starts; texts with escapes are found by their longest plain part. */
function lineOf(source: string, text: string): number {
  const plain = text
    .split(/[\n"'`\\]/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
  return source.slice(0, Math.max(0, source.indexOf(plain))).split("\n").length;
}

if (import.meta.main) {
  const { texts, misuses } = await findMisuses(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, found, but } of misuses)
    console.error(`${file}:${line}: "${found}": write ${but}`);
  const dead = RULES.filter(
    ({ planted, kinds: [kind] = ["prose"] }) =>
      misusesOf({ kind: kind ?? "prose", line: 1, text: planted }).length === 0,
  );
  for (const { planted } of dead) console.error(`the planted text "${planted}" was not reported`);
  if (texts < LEAST_TEXTS) console.error(`Only ${texts} texts were found.`);
  if (misuses.length > 0 || dead.length > 0 || texts < LEAST_TEXTS) process.exitCode = 1;
  console.log(`${texts} texts`);
}
