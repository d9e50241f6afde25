// The small part of Markdown that the chapters in docs/guide are written in, as blocks. Anything else is a paragraph.

/** Languages of samples, in the order of their tabs. Neighbouring blocks in these languages say the same and make one group. */
export const LANGUAGES = { bash: "curl", javascript: "JavaScript", python: "Python", go: "Go" } as const;
export type Language = keyof typeof LANGUAGES;

/** `receiver`: a server that waits for a callback. */
export type Sample = { readonly language: Language; readonly text: string; readonly isReceiver: boolean };

export type Block =
  | { readonly kind: "heading"; readonly level: 2 | 3; readonly id: string; readonly text: string }
  | { readonly kind: "paragraph" | "note"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** What samples answer (`json`) or print (`text`), and files and commands that belong elsewhere. */
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "samples"; readonly samples: readonly Sample[] }
  /** A part that is made from the code: `<!-- made: error-codes -->`. */
  | { readonly kind: "made"; readonly name: string };

const FENCE = /^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/m;
const MADE = /^<!-- made: ([\w-]+) -->$/;
const HEADING = /^(#{2,3}) (.+)$/;
const ITEM = /^(?:[-*]|\d+\.) /;

/** Of what follows a chapter's title and lead. */
export function readBlocks(body: string): Block[] {
  return groupSamples(blocksOf(body));
}

function blocksOf(text: string): Block[] {
  const fence = FENCE.exec(text);
  if (!fence) return text.split(/\n{2,}/).flatMap((part) => blockOf(part.trim()));
  const [whole, language = "", mark, code = ""] = fence;
  const block: Block = isLanguage(language)
    ? { kind: "samples", samples: [{ language, text: code.trimEnd(), isReceiver: mark === "receiver" }] }
    : { kind: "code", language, text: code.trimEnd() };
  return [
    ...blocksOf(text.slice(0, fence.index)),
    block,
    ...blocksOf(text.slice(fence.index + whole.length)),
  ];
}

function blockOf(part: string): Block[] {
  if (part === "") return [];
  const made = MADE.exec(part);
  if (made) return [{ kind: "made", name: made[1] ?? "" }];
  const heading = HEADING.exec(part);
  if (heading) {
    const [, marks = "", text = ""] = heading;
    return [{ kind: "heading", level: marks.length === 2 ? 2 : 3, id: idOf(text), text }];
  }
  const lines = part.split("\n");
  if (part.startsWith("|")) return [tableOf(lines)];
  if (part.startsWith("> "))
    return [{ kind: "note", text: joined(lines.map((line) => line.replace(/^> ?/, "")).join("\n")) }];
  if (ITEM.test(part)) return [listOf(lines)];
  return [{ kind: "paragraph", text: joined(part) }];
}

function tableOf(lines: readonly string[]): Block {
  const cells = (line: string) =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head = "", , ...rows] = lines;
  return { kind: "table", head: cells(head), rows: rows.map(cells) };
}

function listOf(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return { kind: "list", isOrdered: /^\d/.test(lines[0] ?? ""), items };
}

/** Neighbours in different languages are one group; a language that comes again begins the next. */
function groupSamples(blocks: readonly Block[]): Block[] {
  const grouped: Block[] = [];
  for (const block of blocks) {
    const last = grouped.at(-1);
    const [sample] = block.kind === "samples" ? block.samples : [];
    if (
      sample &&
      last?.kind === "samples" &&
      !last.samples.some(({ language }) => language === sample.language)
    )
      grouped.splice(-1, 1, { kind: "samples", samples: [...last.samples, sample] });
    else grouped.push(block);
  }
  return grouped;
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

/** As GitHub makes them, so that links between chapters lead to the same place there. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function joined(text: string): string {
  return text.replace(/\n/g, " ");
}
