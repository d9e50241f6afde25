// What of a prompt is printed, what says how, and what is neither.
import type { Understood } from "../../../../../proto/resources/job.ts";
import { isColor } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { canBeSet } from "../art/type.ts";
import { viewOf } from "../landscape/landscape.ts";
import { isSeen } from "../landscape/seen.ts";
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
const MAX_HEADLINE = 14;
const MAX_DETAILS = 130;

export function readCopy(prompt: string, wanted: string | undefined, random: Random): Copy {
  const isManner = (word: string): boolean => MANNER.test(bare(word)) || isColor(bare(word));
  const quoted = [...prompt.matchAll(/["“„«]([^"”“»]+)["”“»]/gu)]
    .map(([, text]) => wordsOf(text ?? ""))
    .filter((words) => words.length > 0);
  const scenic = (words: readonly string[]): boolean => words.some((word) => bare(word) === "poster");
  const split = prompt
    .split(/[,;\n]+|[.:!?](?=\s)/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  // What is quoted is printed and the rest says how. Else each part is printed that is more than its manner.
  const parts =
    quoted.length > 0
      ? quoted
      : split
          .filter((words) => !words.every(isManner) && !scenic(words))
          .map((words) => withoutManner(words, isManner));
  const printed = parts.length > 0 ? parts : split.slice(0, 1);
  const [first = [], ...rest] = printed;
  const headline = first.slice(0, MAX_HEADLINE).filter(canBeSet);
  const all = [first.slice(MAX_HEADLINE), ...rest]
    .map((words) => words.filter(canBeSet))
    .filter((words) => words.length > 0);
  const details: string[][] = [];
  for (let left = MAX_DETAILS; all.length > 0 && left > 0; left -= details.at(-1)?.length ?? 0)
    details.push((all.shift() ?? []).slice(0, left));
  const set = new Set([...headline, ...details.flat()].map(bare));
  const others = wordsOf(prompt).filter((word) => !set.has(bare(word)));
  const style =
    STYLES.find(([name]) => name === wanted)?.[0] ??
    STYLES.find(([, words]) => words.test(prompt))?.[0] ??
    random.pick(["bold", "swiss", "elegant", "bold"] as const);
  const scene = new Set(style === "travel" ? sceneryWords(prompt) : []);
  const stylesOf = (word: string): Style[] =>
    STYLES.flatMap(([name, words]) => (words.test(bare(word)) ? [name] : []));
  const heeded = others.filter(
    (word) => isColor(bare(word)) || scene.has(bare(word).toLowerCase()) || stylesOf(word).includes(style),
  );
  const missing = others.filter(
    (word) =>
      !heeded.includes(word) && (UNABLE.test(bare(word)) || !isManner(word) || stylesOf(word).length > 0),
  );
  return {
    style,
    headline,
    details,
    understood: {
      drawn: listed([
        headline.join(" "),
        ...details.map((words) => words.join(" ")),
        ...new Set(heeded.map(bare)),
      ]),
      not_drawn: listed([...new Set(missing.map(bare))]),
    },
  };
}

/** What of a prompt a poster shows, whatever its seed. */
export function posterWords(prompt: string, style?: string): Understood {
  return readCopy(prompt, style, createRandom(prompt)).understood;
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

/** "Sale in red": the tail says how it looks. */
function withoutManner(words: readonly string[], isManner: (word: string) => boolean): string[] {
  let end = words.length;
  while (end > 1 && isManner(words[end - 1] ?? "")) end--;
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

/** As many as an answer lists, none longer than a line. */
function listed(words: readonly string[]): string[] {
  return words
    .filter(Boolean)
    .slice(0, 12)
    .map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text));
}
