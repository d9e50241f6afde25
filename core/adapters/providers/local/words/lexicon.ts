// Which icon a word or a name of several words stands for: our own words first, then the icons' names, then emojilib's.
import { readFileSync } from "node:fs";
import ownIcons from "../art/own-icons.json" with { type: "json" };
import vocabulary from "./vocabulary.json" with { type: "json" };

/** Of people only their names are taken: what emojilib says of gestures are words of every other sentence. */
const SPEAKING = vocabulary.drawable.slice(0, -1);
/** Icons that are whole pictures with a sky of their own, and would stand in ours like postage stamps. */
const FRAMED =
  /^(sun(set|rise.*)|cityscape.*|desert|beach-.*|camping|national-park|night-with-stars|bridge-at-night|foggy?|motorway|milky-way|mountain|moon-viewing.*|railway-track|framed-picture|window|map-of-japan|construction|hot-springs|.*-button.*)$/;
export const SKIN_TONE = /-(dark|light|medium)(-|$)/;
/** Emojilib lists what fits best first. */
const TRUSTED_KEYWORDS = 7;

let lexicon: ReturnType<typeof buildLexicon> | undefined;

/** Read once, where first needed: some 450 kB of names, no pictures. */
export function loadLexicon() {
  lexicon ??= buildLexicon();
  return lexicon;
}

function buildLexicon() {
  const emoji = import.meta.resolve("@iconify-json/fluent-emoji-flat/metadata.json");
  const { categories: lists } = readJson(emoji) as { categories: Record<string, string[]> };
  /** "Animals & Nature" and its neighbours, by icon. */
  const categories: ReadonlyMap<string, string> = new Map(
    Object.entries(lists).flatMap(([category, icons]) =>
      icons.filter((icon) => !SKIN_TONE.test(icon)).map((icon) => [icon, category] as const),
    ),
  );
  /** By word: "fox", "hot air balloon". */
  const icons = new Map(OWN_ICONS);
  const learn = (words: string, icon: string): void => {
    if (!icons.has(words)) icons.set(words, icon);
  };
  // The categories whose icons are things that can stand in a picture, the more likely meant first.
  for (const drawable of vocabulary.drawable)
    for (const [icon, category] of categories)
      if (category === drawable && !FRAMED.test(icon) && !NO_THINGS.has(icon))
        learn(icon.replaceAll("-", " "), icon);
  const names = new Set(icons.keys());
  const signs = new Map<string, string>();
  const characters = readJson(new URL("chars.json", emoji).href) as Record<string, string>;
  const emojilib = readJson(import.meta.resolve("emojilib")) as Record<string, string[]>;
  const found: { rank: number; words: string; icon: string }[] = [];
  for (const [sign, words] of Object.entries(emojilib)) {
    const plain = sign.replaceAll("\ufe0f", "");
    const icon = characters[[...plain].map((character) => character.codePointAt(0)?.toString(16)).join("-")];
    if (!icon) continue;
    signs.set(plain, icon);
    const category = SPEAKING.indexOf(categories.get(icon) ?? "");
    if (category < 0 || FRAMED.test(icon)) continue;
    for (const [i, word] of words.slice(0, TRUSTED_KEYWORDS).entries()) {
      const spaced = word.replaceAll("_", " ").toLowerCase();
      // What someone does is no thing.
      if (/^[a-z][a-z ]{2,}(?<!ing)$/.test(spaced) && !NO_THINGS.has(spaced))
        found.push({ rank: i * 10 + category, words: spaced, icon });
    }
  }
  for (const { words, icon } of found.toSorted((a, b) => a.rank - b.rank))
    // "Candles" are what the candle is, whatever else they stand on.
    if (!readings(words).some(({ words: one }) => names.has(one))) learn(words, icon);
  const keywords: ReadonlySet<string> = new Set([...icons.keys()].filter((words) => !names.has(words)));
  return { icons, own: OWN_ICONS, signs, categories, keywords };
}

export const PASSED_OVER: ReadonlySet<string> = new Set(wordsOf(vocabulary.passed_over));
/** Words for a look that scenes of icons and landscapes do not have. */
export const STYLE_WORDS: ReadonlySet<string> = new Set(wordsOf(vocabulary.styles));
const NO_THINGS: ReadonlySet<string> = new Set([
  ...PASSED_OVER,
  ...STYLE_WORDS,
  ...wordsOf(vocabulary.stuff),
]);
const ownNames = Object.keys(ownIcons).map((icon) => [icon, icon.replaceAll("-", "_")]);
/** By our own words. */
const OWN_ICONS = byWord({ ...Object.fromEntries(ownNames), ...vocabulary.things });

/** In the vocabulary names of several words are joined by "_", and "~" precedes a word whose picture shows only something similar. */
export function wordsOf(list: string): string[] {
  return list.split(" ").map((word) => word.replace(/^~/, "").replaceAll("_", " "));
}

/** Whether the words are a checked synonym of what the list is for. */
export function isSynonym(list: string | undefined, words: string): boolean {
  return ` ${list} `.includes(` ${words.replaceAll(" ", "_")} `);
}

/** The names of lists by each of their words. */
export function byWord(lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([name, words]) => wordsOf(words).map((word) => [word, name])),
  );
}

/** Of plurals, and what stands there in the singular. */
const ENDINGS = [
  [/ies$/, "y"],
  [/(?<=[sxzo]|ch|sh)es$/, ""],
  [/ves$/, "f"],
  [/(?<=\w\w[^s])s$/, ""],
] as const;

/** The words themselves, then what they may be the plural of. */
export function readings(words: string): { words: string; plural: boolean }[] {
  const at = words.lastIndexOf(" ") + 1;
  const last = words.slice(at);
  const singular = (vocabulary.plurals as Record<string, string>)[last];
  const endings = ENDINGS.filter(([end]) => end.test(last)).map(([end, to]) => last.replace(end, to));
  const singulars = (singular ? [singular] : endings).map((one) => words.slice(0, at) + one);
  return [{ words, plural: false }, ...singulars.map((one) => ({ words: one, plural: true }))];
}

/** A file of a package; unlike an import, this does not keep it. */
export function readJson(address: string): unknown {
  return JSON.parse(readFileSync(new URL(address), "utf8"));
}
