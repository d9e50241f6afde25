// What of a prompt is printed, what says how, and what is neither.
import type { Understood } from "../../../../../proto/resources/job.ts";
import { isColor, isTone } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import { canBeSet } from "../art/type.ts";
import { isSeen, viewOf } from "../landscape/landscape.ts";
import { understoodOf } from "../words/read-prompt.ts";

export type Style = "bold" | "swiss" | "elegant" | "deco" | "travel";

export type Copy = {
  readonly style: Style;
  /** Words in the order they are set. */
  readonly headline: readonly string[];
  /** Each a part of the small print. */
  readonly details: readonly (readonly string[])[];
  readonly understood: Understood;
};

const STYLES: readonly (readonly [Style, RegExp])[] = [
  ["travel", /\b(travel|visit|explore|national park)\b/i],
  ["swiss", /\b(swiss|minimal(ist)?|bauhaus|modern(ist)?|grid|helvetica)\b/i],
  ["deco", /\b(art deco|deco|jazz|gatsby|1920s|20s|cabaret)\b/i],
  ["elegant", /\b(elegant|wedding|classic|serif|invitation|luxury|romantic|birthday|thank you)\b/i],
  ["bold", /\b(bold|sale|techno|festival|concert|party|punk|brutalist|opening|market)\b/i],
];
/** Words that say how a poster looks, not what it says. Those without a style of their own are named as not drawn. */
const MANNER =
  /^(in|at|to|as|and|with|on|the|a|an|of|style[d]?|poster|print|design|layout|typography|type|font|letters|text|large|big|colou?rs?|background|travel|swiss|minimal(ist)?|bauhaus|modern(ist)?|grid|elegant|bold|classic|serif|art|deco|vintage|retro|simple|clean|photo-?realistic|photo(graph)?|cinematic|watercolou?r|illustration|4k|8k|hd|lighting|detailed|3d)$/i;
const UNABLE =
  /^(photo-?realistic|photo(graph)?|cinematic|watercolou?r|illustration|4k|8k|hd|lighting|detailed|3d|vintage|retro)$/i;
/** What a phrase about colours ends in: "in warm colours", "pastel tones". */
const COLORING = /^(colou?rs?|tones?|shades?|hues?|palette)$/i;
const LONGEST_COLORING = 5;
const MAX_HEADLINE = 14;
const MAX_DETAILS = 130;

/** The wanted style, else the one that the prompt names. */
export function styleOf(prompt: string, wanted: string | undefined, random: Random): Style {
  return (
    STYLES.find(([name]) => name === wanted)?.[0] ??
    STYLES.find(([, words]) => words.test(prompt))?.[0] ??
    random.pick(["bold", "swiss", "elegant", "bold"] as const)
  );
}

/** `seen` are the words that the colours of the poster follow. */
export function readCopy(prompt: string, style: Style, seen: readonly string[]): Copy {
  const isManner = (word: string): boolean => MANNER.test(bare(word)) || isColor(bare(word));
  const isScenic = (words: readonly string[]): boolean => words.some((word) => bare(word) === "poster");
  const split = filled(prompt.split(/[,;\n]+|[.:!?](?=\s)/u).map(wordsOf));
  const quoted = filled(
    Array.from(prompt.matchAll(/["“„«]([^"”“»]+)["”“»]/gu), ([, text = ""]) => wordsOf(text)),
  );
  // What is quoted is printed and the rest says how. Else each part is printed that is more than its manner.
  const telling = split.map((words) => withoutManner(words, isManner));
  const parts = quoted.length > 0 ? quoted : filled(telling.filter((words) => !isScenic(words)));
  const [first = [], ...rest] = parts.length > 0 ? parts : split.slice(0, 1);
  const headline = first.slice(0, MAX_HEADLINE).filter(canBeSet);
  const details: string[][] = [];
  let room = MAX_DETAILS;
  for (const words of filled([first.slice(MAX_HEADLINE), ...rest].map((part) => part.filter(canBeSet)))) {
    if (room > 0) details.push(words.slice(0, room));
    room -= words.length;
  }
  const set = new Set([...headline, ...details.flat()].map(bare));
  const others = wordsOf(prompt)
    .map(bare)
    .filter((word) => !set.has(word));
  const scene = new Set(style === "travel" ? sceneryWords(prompt) : []);
  const stylesOf = (word: string): Style[] =>
    STYLES.flatMap(([name, words]) => (words.test(word) ? [name] : []));
  const isHeeded = (word: string): boolean =>
    isColor(word) ||
    seen.includes(word.toLowerCase()) ||
    scene.has(word.toLowerCase()) ||
    stylesOf(word).includes(style);
  const isMissed = (word: string): boolean =>
    !isHeeded(word) &&
    (UNABLE.test(word) || !(isManner(word) || COLORING.test(word)) || stylesOf(word).length > 0);
  const printed = [headline, ...details].map((words) => words.join(" "));
  const understood = {
    drawn: listed([...printed, ...new Set(others.filter(isHeeded))]),
    not_drawn: listed([...new Set(others.filter(isMissed))]),
  };
  return { style, headline, details, understood };
}

/** What the scenery of a travel poster shows, word by word. */
function sceneryWords(prompt: string): string[] {
  const view = viewOf({ prompt, width: 64, height: 64, variation: "" });
  const { drawn } = understoodOf(
    view.reading,
    (claim) => claim.aspect !== undefined && claim.as === undefined && isSeen(view, claim),
  );
  return drawn.flatMap((words) => words.split(" "));
}

/** "Sale in red", "Sale in warm colours": the tail says how it looks. Empty where all of it does. */
function withoutManner(words: readonly string[], isManner: (word: string) => boolean): string[] {
  const colors = (word: string): boolean => isTone(word) || isColor(word);
  const isTail = (i: number): boolean => {
    const [before, word, after] = [i - 1, i, i + 1].map((at) => bare(words[at] ?? "")) as [
      string,
      string,
      string,
    ];
    if (COLORING.test(word)) return isManner(word) || colors(before);
    return isManner(word) || (isTone(word) && (isColor(after) || COLORING.test(after)));
  };
  const begins = words.findLastIndex((word) => /^(in|with)$/i.test(word));
  const isColoring = COLORING.test(bare(words.at(-1) ?? "")) && words.length - begins <= LONGEST_COLORING;
  let end = isColoring && begins >= 0 ? begins : words.length;
  while (end > 0 && isTail(end - 1)) end--;
  return words.slice(0, end);
}

function wordsOf(text: string): string[] {
  return text
    .replace(/["“”„«»]/gu, " ")
    .split(/\s+/u)
    .filter(Boolean);
}

function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

function filled(parts: readonly string[][]): string[][] {
  return parts.filter(({ length }) => length > 0);
}

/** As many as an answer lists, none longer than a line. */
function listed(words: readonly string[]): string[] {
  return words
    .filter(Boolean)
    .slice(0, 12)
    .map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text));
}
