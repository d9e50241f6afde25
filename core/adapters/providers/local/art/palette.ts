// Colours: how to mix and judge them, which ones a prompt names, and sets of them for prompts that name none.
import { byWord } from "../words/lexicon.ts";
import tables from "./palettes.json" with { type: "json" };
import type { Random } from "./random.ts";

/** `#rrggbb`. */
export type Color = string;

/** `amount` 0 is all of the first, 1 all of the second. */
export function mix(from: Color, to: Color, amount: number): Color {
  const others = channels(to);
  const mixed = channels(from).map((channel, i) =>
    Math.round(channel + ((others[i] ?? 0) - channel) * amount),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** 0 is black, 1 white. */
export function lightness(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return (0.3 * red + 0.59 * green + 0.11 * blue) / 255;
}

/** 0 is grey. */
export function saturation(color: Color): number {
  return (Math.max(...channels(color)) - Math.min(...channels(color))) / 255;
}

/** Red, green and blue, 0..255. */
export function channels(color: Color): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

const named = byWord(tables.names);
const moods = byWord(Object.fromEntries(Object.keys(tables.moods).map((words) => [words, words])));

/** Words for the named colours together, and what they mix into each. */
const SHADES = new Map<string, readonly [Color, number]>([
  ["dark", ["#0b0a12", 0.6]],
  ["pale", ["#ffffff", 0.6]],
  ["pastel", ["#ffffff", 0.6]],
]);

type Named = { readonly words: readonly string[]; readonly colors: readonly Color[] };

/**
 * The colours of a prompt in its order, each once, with the words that name them; of a mood, such as "sunrise" or "warm", where it names
 * none; and without words a set by chance.
 */
export function colorsOf(prompt: string, random: Random): Named {
  const said = wordsIn(prompt);
  const words = said.filter((word) => named.has(word));
  const mood = said.find((word) => moods.has(word)) ?? "";
  if (words.length === 0) {
    const list = tables.moods[moods.get(mood) as keyof typeof tables.moods] as readonly Color[] | undefined;
    return list ? { words: [mood], colors: list } : { words, colors: random.pick(tables.sets) };
  }
  const colors = [...new Set(words.map((word) => named.get(word) ?? ""))];
  const shades = said.filter((word) => SHADES.has(word));
  // Of several each may be that of one colour: dark blue and pale green.
  const [shade, amount] = (shades.length === 1 && SHADES.get(shades[0] ?? "")) || ["#ffffff", 0];
  return { words: [...words, ...shades], colors: colors.map((color) => mix(color, shade, amount)) };
}

export function wordsIn(prompt: string): string[] {
  return [...new Set(prompt.toLowerCase().match(/\p{L}[\p{L}\p{N}'-]*|\p{N}+\p{L}*/gu))];
}

/** A colour that is seen on a ground: the one that is asked for, else ink or paper. */
export function seenOn(ground: Color, color: Color, least = 0.3): Color {
  if (Math.abs(lightness(ground) - lightness(color)) >= least) return color;
  return lightness(ground) > 0.5 ? "#1b1a1e" : "#fbfaf6";
}

/** Whether a word names a colour. */
export function isColor(word: string): boolean {
  return named.has(word.toLowerCase());
}

/** Whether a word changes the named colours, or names some by a mood. */
export function isTone(word: string): boolean {
  const lower = word.toLowerCase();
  return SHADES.has(lower) || moods.has(lower);
}

export function byLightness(colors: readonly Color[]): Color[] {
  return colors.toSorted((a, b) => lightness(b) - lightness(a));
}

/** Words of a prompt that are neither shown nor grammar; at most as many as an answer lists. */
export function leftOver(prompt: string, shown: ReadonlySet<string>): string[] {
  const grammar = new Set(tables.grammar.split(" "));
  return wordsIn(prompt)
    .filter((word) => word.length > 1 && !shown.has(word) && !grammar.has(word))
    .slice(0, 12);
}
