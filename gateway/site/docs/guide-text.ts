// Parses the Markdown chapters of docs/guide into blocks.
import type { MarkedToken } from "marked";
import { readMarkdown } from "../design/markdown.ts";

/** The languages of samples in the order of their tabs. Neighbouring blocks in these languages show the same sample and form one group. */
export const LANGUAGES = { bash: "curl", javascript: "JavaScript", python: "Python", go: "Go" } as const;
export type Language = keyof typeof LANGUAGES;

/** `receiver` is a server that receives a callback. */
export type Sample = { readonly language: Language; readonly text: string; readonly isReceiver: boolean };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  /** Paragraphs and lists. */
  | { readonly kind: "prose"; readonly tokens: readonly MarkedToken[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Output of samples (`json`, `text`), and files and commands that belong elsewhere. */
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "samples"; readonly samples: readonly Sample[] }
  /** A part that is generated from the code: `<!-- made: error-codes -->`. */
  | { readonly kind: "made"; readonly name: string };

const MADE = /^<!-- made: ([\w-]+) -->$/;

/** The part of a chapter after its title and lead. */
export function readBlocks(body: string): Block[] {
  return groupSamples(
    readMarkdown(body)
      .filter(({ type }) => type !== "space")
      .map(blockOf),
  );
}

function blockOf(token: MarkedToken): Block {
  switch (token.type) {
    case "heading":
      return { kind: "heading", level: token.depth, id: idOf(token.text), text: token.text };
    case "blockquote":
      return { kind: "note", text: token.text };
    case "table": {
      const texts = (cells: readonly { text: string }[]) => cells.map(({ text }) => text);
      return { kind: "table", head: texts(token.header), rows: token.rows.map(texts) };
    }
    case "code": {
      const [language = "", mark] = token.lang?.split(" ") ?? [];
      const text = token.text.trimEnd();
      return isLanguage(language)
        ? { kind: "samples", samples: [{ language, text, isReceiver: mark === "receiver" }] }
        : { kind: "code", language, text };
    }
    default: {
      const name = MADE.exec(token.raw.trim())?.[1];
      return name === undefined ? { kind: "prose", tokens: [token] } : { kind: "made", name };
    }
  }
}

/** Neighbouring blocks in different languages form one group; a repeated language starts the next group. */
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

/** The same ids as on GitHub, so that links between chapters work there as well. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
