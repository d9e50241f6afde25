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

/** Above 0 is more red than blue. */
function warmth(color: Color): number {
  const [red = 0, , blue = 0] = channels(color);
  return (red - blue) / 255;
}

/** Red, green and blue, 0..255. */
export function channels(color: Color): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

const named = byWord(tables.names);
const moods = byWord(Object.fromEntries(Object.keys(tables.moods).map((words) => [words, words])));

type Named = { readonly words: readonly string[]; readonly colors: readonly Color[] };
const NONE: Named = { words: [], colors: [] };

/** The colours of a prompt in its order, each once, with the words that name them; of a mood, such as "sunrise", where it names none. */
export function colorsOf(prompt: string): Named {
  const said = wordsIn(prompt);
  const words = said.filter((word) => named.has(word));
  if (words.length > 0) return { words, colors: [...new Set(words.map((word) => named.get(word) ?? ""))] };
  const mood = said.find((word) => moods.has(word));
  return mood ? { words: [mood], colors: tables.moods[moods.get(mood) as keyof typeof tables.moods] } : NONE;
}

/** The first is the ground, which covers as much as all others. */
function mean([ground = "#888888", ...others]: readonly Color[], of: (color: Color) => number): number {
  const sum = others.reduce((all, color) => all + of(color), 0);
  return others.length === 0 ? of(ground) : (of(ground) + sum / others.length) / 2;
}

type Tone = {
  readonly words: RegExp;
  /** What it makes of a colour that the prompt names. */
  readonly mixed?: readonly [Color, number];
  readonly isSeen: (colors: readonly Color[]) => boolean;
};

/** Words for all colours together. */
const TONES: readonly Tone[] = [
  { words: /^warm(er)?$/, isSeen: (colors) => mean(colors, warmth) > 0.1 },
  { words: /^(cool(er)?|cold|icy)$/, isSeen: (colors) => mean(colors, warmth) < -0.1 },
  { words: /^(dark|moody)$/, mixed: ["#0b0a12", 0.5], isSeen: (colors) => mean(colors, lightness) < 0.3 },
  { words: /^(pale|pastels?)$/, mixed: ["#ffffff", 0.6], isSeen: (colors) => mean(colors, lightness) > 0.7 },
  { words: /^(bright|light)$/, isSeen: (colors) => mean(colors, lightness) > 0.6 },
  { words: /^(vivid|vibrant)$/, isSeen: (colors) => mean(colors, saturation) > 0.45 },
];

/**
 * What `finish` makes of the colours that a prompt names, else of a set of colours in its tones; and the words of the tones that are seen in
 * it, the same for every random choice.
 */
export function inTones(
  prompt: string,
  random: Random,
  finish: (colors: readonly Color[]) => Color[],
): { readonly colors: readonly Color[]; readonly tones: readonly string[] } {
  const { words, colors } = colorsOf(prompt);
  const others = wordsIn(prompt).filter((word) => !words.includes(word));
  const asked = others.flatMap((word) =>
    TONES.filter((tone) => tone.words.test(word)).map((tone) => ({ word, ...tone })),
  );
  // Of several tones each may be that of one colour: light blue and dark green.
  const mixed = asked.length === 1 ? asked[0]?.mixed : undefined;
  const own = mixed ? colors.map((color) => mix(color, ...mixed)) : colors;
  const usual = asked.length === 0 ? tables.sets : [...tables.sets, ...Object.values(tables.moods)];
  let sets = (colors.length > 0 ? [own] : usual).map(finish);
  const tones: string[] = [];
  for (const { word, isSeen } of asked) {
    const fitting = sets.filter(isSeen);
    if (fitting.length === 0) continue;
    sets = fitting;
    tones.push(word);
  }
  return { colors: random.pick(sets), tones };
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

/** Whether a word is a tone of all colours, or names them by a mood. */
export function isTone(word: string): boolean {
  const lower = word.toLowerCase();
  return TONES.some(({ words }) => words.test(lower)) || moods.has(lower);
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
