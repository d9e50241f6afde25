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
/** As many characters as are printed. */
const PRINTED = /^[^]{0,900}(?=\s|$)/;

/** The wanted style, else the one that the prompt names. */
export function chooseStyle(prompt: string, wanted: string | undefined, random: Random): Style {
  return (
    STYLES.find(([name]) => name === wanted)?.[0] ??
    STYLES.find(([, words]) => words.test(prompt))?.[0] ??
    random.pick(["bold", "swiss", "elegant", "bold"] as const)
  );
}

/** `seen` are the words that the colours of the poster follow. */
export function readCopy(prompt: string, style: Style, seen: readonly string[]): Copy {
  const [text = ""] = PRINTED.exec(prompt) ?? [];
  const split = partsOf(text.split(/[,;\n]+|[.:!?](?=\s)/u));
  const quoted = partsOf(Array.from(text.matchAll(/["“„«]([^"”“»]+)["”“»]/gu), ([, part = ""]) => part));
  // What is quoted is printed and the rest says how. Else each part is printed that is more than its manner.
  const telling = split.filter((words) => !words.some((word) => bare(word) === "poster")).map(withoutManner);
  const parts = quoted.length > 0 ? quoted : telling.filter(({ length }) => length > 0);
  const [first = [], ...rest] = parts.length > 0 ? parts : split.slice(0, 1);
  const headline = first.slice(0, MAX_HEADLINE).filter(canBeSet);
  const small = [first.slice(MAX_HEADLINE), ...rest].map((part) => part.filter(canBeSet));
  const details = small.filter(({ length }) => length > 0);
  const set = new Set([...headline, ...details.flat()].map(bare));
  const [all = []] = partsOf([prompt]);
  const others = [...new Set(all.map(bare).filter((word) => !set.has(word)))];
  const stylesOf = (word: string) => STYLES.filter(([, words]) => words.test(word)).map(([name]) => name);
  const heeded = [style, ...seen, ...(style === "travel" ? sceneryWords(prompt) : [])];
  const isDrawn = (word: string): boolean =>
    isColor(word) || [word.toLowerCase(), ...stylesOf(word)].some((one) => heeded.includes(one));
  const isMissed = (word: string): boolean =>
    !isDrawn(word) &&
    (UNABLE.test(word) || !(isManner(word) || COLORING.test(word)) || stylesOf(word).length > 0);
  const printed = [headline, ...details].map((words) => words.join(" "));
  const understood = {
    drawn: listed([...printed, ...others.filter(isDrawn)]),
    not_drawn: listed(others.filter(isMissed)),
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

function isManner(word: string): boolean {
  return MANNER.test(bare(word)) || isColor(bare(word));
}

/** "Sale in red", "Sale in warm colours": the tail says how it looks. Empty where all of it does. */
function withoutManner(words: readonly string[]): string[] {
  const plain = words.map(bare);
  const isTail = (word: string, i: number): boolean => {
    const [before = "", after = ""] = [plain[i - 1], plain[i + 1]];
    if (isManner(word)) return true;
    if (COLORING.test(word)) return isTone(before) || isColor(before);
    return isTone(word) && (isColor(after) || COLORING.test(after));
  };
  const begins = words.findLastIndex((word) => /^(in|with)$/i.test(word));
  const isColoring = COLORING.test(plain.at(-1) ?? "") && words.length - begins <= LONGEST_COLORING;
  const end = isColoring && begins >= 0 ? begins : words.length;
  return words.slice(0, plain.slice(0, end).findLastIndex((word, i) => !isTail(word, i)) + 1);
}

/** The words of each text that has any. */
function partsOf(texts: readonly string[]): string[][] {
  return texts.map((text) => text.match(/[^\s"“”„«»]+/gu) ?? []).filter(({ length }) => length > 0);
}

function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** As many as an answer lists, none longer than a line. */
function listed(words: readonly string[]): string[] {
  const some = words.filter(Boolean).slice(0, 12);
  return some.map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text));
}
