// What a prompt asks to see: things with their number and colour, and light, weather, season and place. Words alone, no pictures.
import type { Understood } from "../../../../../proto/resources/job.ts";
import { byWord, isSynonym, loadLexicon, PASSED_OVER, readings, STYLE_WORDS, wordsOf } from "./lexicon.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

export type Thing = {
  readonly icon: string;
  readonly count: number;
  readonly color?: string;
  /** What it sits on or is worn by. */
  readonly on?: string;
  readonly wornBy?: string;
};

type Vocabulary = typeof vocabulary;
export type Reading = {
  readonly things: readonly Thing[];
  readonly time?: keyof Vocabulary["times"];
  readonly weathers: readonly (keyof Vocabulary["weathers"])[];
  readonly season?: keyof Vocabulary["seasons"];
  readonly places: readonly (keyof Vocabulary["places"])[];
  readonly lights: readonly (keyof Vocabulary["lights"])[];
  readonly claims: readonly PromptClaim[];
  /** Words that no drawing shows. */
  readonly left: readonly string[];
};

/** Words of a prompt, and one part of a picture that would show them: a thing, its colour, or an aspect of the whole. */
export type PromptClaim = {
  readonly words: string;
  /** The name of the part, where it only stands in for the words. */
  readonly as?: string | undefined;
} & (
  | { readonly icon: string; readonly color?: string; readonly aspect?: undefined }
  | { readonly aspect: Aspect; readonly name: string; readonly icon?: undefined; readonly color?: undefined }
);

const MAX_WORDS = 4;
const MAX_THINGS = 7;
const MAX_COUNT = 12;
const MAX_LISTED = 12;
/** Of a long text the beginning says what it is about. */
const MAX_TOKENS = 120;

const { times: time, weathers, seasons: season, places, lights } = vocabulary;
const AMBIENCES: Record<Aspect, Record<string, string>> = { time, weathers, season, places, lights };
type Aspect = "time" | "weathers" | "season" | "places" | "lights";

/** By word: what it says of the whole picture. */
const ambience = new Map<string, { aspect: Aspect; name: string }[]>();
for (const [aspect, names] of Object.entries(AMBIENCES))
  for (const [name, list] of Object.entries(names))
    for (const word of wordsOf(list))
      ambience.set(word, [...(ambience.get(word) ?? []), { aspect: aspect as Aspect, name }]);
const colors = byWord(vocabulary.colors);
const numbers = byWord(vocabulary.numbers);
const groups = byWord(vocabulary.groups);
const PLURAL_COUNT = 3;
/** Begins to say where things are, after what they are for. */
const WHERE = /^(on|in|at|with|under|over|by|near|behind|beside)$/;
/** What one sits in rather than beside. */
const HOLLOW = /tree|bed|basket|canoe|boat|bucket|nest|bathtub|automobile/;
/** Words that join the last thing and the next. */
const JOINTS = byWord({ on: "on riding atop", in: "in inside", wears: "wearing wears" });

export function readPrompt(prompt: string): Reading {
  const tokens = tokensOf(prompt);
  const reader = new Reader();
  for (let at = 0; at < tokens.length;) at += reader.take(tokens, at);
  return reader.reading();
}

const TOKEN =
  /\p{L}[\p{L}\p{N}'-]*|\p{N}+\p{L}*|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*|[.,;:!?]/gu;

function tokensOf(prompt: string): string[] {
  const plain = prompt
    .normalize("NFKD")
    .replace(/\p{M}(?<!\ufe0f)/gu, "")
    .replace(/[’‘]/g, "'")
    .toLowerCase();
  return (plain.match(TOKEN) ?? []).slice(0, MAX_TOKENS).map((token) => token.replace(/'s$|['-]+$/, ""));
}

/** What a picture shows of a prompt, by which of its claims are drawn. */
export function understoodOf(
  { claims, left }: Reading,
  isDrawn: (claim: PromptClaim) => boolean,
): Understood {
  const drawn = new Map<string, string>();
  for (const claim of claims.filter(isDrawn))
    if (claim.as === undefined || !drawn.has(claim.words)) drawn.set(claim.words, labelOf(claim));
  const asked = new Set([...claims.map(({ words }) => words), ...left]);
  const not_drawn = [...asked].filter((words) => !drawn.has(words)).slice(0, MAX_LISTED);
  return { drawn: [...drawn.values()].slice(0, MAX_LISTED), not_drawn };
}

export function labelOf({ words, as }: Pick<PromptClaim, "words" | "as">): string {
  return as === undefined ? words : `${words} (drawn as: ${as})`;
}

/** The name of an icon, where it only stands in for what the prompt says. */
function standInOf(icon: string, words: string): string | undefined {
  const name = icon.replaceAll("+", " and ").replaceAll("-", " ");
  const synonyms = (vocabulary.things as Record<string, string>)[icon];
  return words === name || isSynonym(synonyms, words) ? undefined : name;
}

/** A picture has one hour, one season and one place, but hills, woods or a town may lie behind any place, and weathers meet. */
function fits(aspect: Aspect, name: string): boolean {
  return /weathers|lights/.test(aspect) || /^(mountains|hills|forest|city|sky|meadow|arctic)$/.test(name);
}

class Reader {
  readonly #lexicon = loadLexicon();
  readonly #things: Thing[] = [];
  readonly #said: Record<Aspect, string[]> = { time: [], weathers: [], season: [], places: [], lights: [] };
  readonly #claims: PromptClaim[] = [];
  readonly #left = new Set<string>();
  #count: number | undefined;
  #color: { readonly word: string; readonly color: string } | undefined;
  #joint: string | undefined;
  /** Within the words for what the picture is for, which it does not show: "foxes for a children's room". */
  #isPurpose = false;

  /** Reads what stands at a place and answers how many words that were. The longest name wins. */
  take(tokens: readonly string[], at: number): number {
    for (let length = Math.min(MAX_WORDS, tokens.length - at); length > 0; length--) {
      const words = tokens.slice(at, at + length).join(" ");
      if (length === 1 && this.#takeModifier(words, tokens[at + 1], tokens[at + 2])) return 1;
      if (this.#takeThing(words, tokens.slice(at + length))) return length;
    }
    this.#pass(tokens[at] ?? "");
    return 1;
  }

  reading(): Reading {
    const { time, season, ...said } = this.#said;
    return {
      ...said,
      things: this.#things,
      ...(time[0] && { time: time[0] }),
      ...(season[0] && { season: season[0] }),
      claims: this.#claims,
      left: [...this.#left],
    } as Reading;
  }

  #takeModifier(word: string, next: string | undefined, afterNext: string | undefined): boolean {
    if (WHERE.test(word)) this.#isPurpose = false;
    const group = Number(groups.get(word) ?? 0);
    if (group > 0 && next === "of" && afterNext !== undefined) {
      if (group > 1) this.#count = group;
      // A field of flowers is a field as well.
      this.#takeAmbience(word);
      return true;
    }
    const number = numbers.get(word) ?? /^\d{1,4}$/.exec(word)?.[0];
    const color = colors.get(word);
    if (number !== undefined) this.#count = Number(number);
    else if (color !== undefined && !this.#lexicon.icons.has(`${word} ${next}`)) {
      this.#color = { word, color };
      // Until a thing takes the colour.
      this.#left.add(word);
    } else if (STYLE_WORDS.has(word)) this.#left.add(word);
    else if (word === "for") this.#isPurpose = this.#claims.length > 0;
    else if (JOINTS.has(word)) this.#joint = JOINTS.get(word);
    else return false;
    return true;
  }

  #takeThing(words: string, rest: readonly string[]): boolean {
    const sign = this.#lexicon.signs.get(words);
    for (const { words: one, plural } of readings(words)) {
      const said = this.#takeAmbience(one, words);
      // Our own words are shown as things even where they say something of the whole.
      const icon = sign ?? this.#lexicon[ambience.has(one) ? "own" : "icons"].get(one);
      if (!icon && !said) continue;
      if (icon && !this.#isPurpose && !this.#describesNext(one, rest) && this.#add(icon, plural)) {
        this.#claims.push({ words, icon, as: icon === sign ? undefined : standInOf(icon, one) });
      } else if (!said) this.#left.add(words);
      if (!icon) [this.#color, this.#joint] = [undefined, undefined];
      return true;
    }
    return false;
  }

  /** In "paper boat" and "silk scarf" the keyword is no thing of its own. */
  #describesNext(keyword: string, [next = ""]: readonly string[]): boolean {
    const { icons, keywords } = this.#lexicon;
    return keywords.has(keyword) && readings(next).some(({ words }) => icons.has(words));
  }

  /** `words` is how the prompt has it, where that is to be a claim. */
  #takeAmbience(word: string, words?: string): boolean {
    let said = false;
    for (const { aspect, name } of ambience.get(word) ?? []) {
      const names = this.#said[aspect];
      if (this.#isPurpose && aspect === "places") continue;
      if (!names.includes(name) && !(names.length === 0 || fits(aspect, name))) continue;
      if (!names.includes(name)) names.push(name);
      const as = isSynonym(AMBIENCES[aspect][name], word) ? undefined : name;
      if (words) this.#claims.push({ words, aspect, name, as });
      said = true;
    }
    return said;
  }

  /** False where the picture is full. */
  #add(icon: string, plural: boolean): boolean {
    const last = this.#things.length - 1;
    const sitter = this.#things[last];
    // "A corgi puppy" is one dog.
    if (sitter?.icon === icon && this.#count === undefined) return true;
    if (this.#things.length === MAX_THINGS) return false;
    const count = Math.min(MAX_COUNT, this.#count ?? (plural ? PLURAL_COUNT : 1));
    // "An owl on a tree": it is the owl that sits.
    if (sitter && (this.#joint === "on" || (this.#joint === "in" && HOLLOW.test(icon))))
      this.#things[last] = { ...sitter, on: icon };
    this.#things.push({
      icon,
      count: Math.max(1, count),
      ...(this.#color && { color: this.#color.color }),
      ...(sitter && this.#joint === "wears" && { wornBy: sitter.icon }),
    });
    if (this.#color) this.#claims.push({ words: this.#color.word, icon, color: this.#color.color });
    [this.#count, this.#color, this.#joint] = [undefined, undefined, undefined];
    return true;
  }

  #pass(word: string): void {
    if (/^[.,;:!?]$/.test(word)) {
      [this.#count, this.#color, this.#joint] = [undefined, undefined, undefined];
      this.#isPurpose = false;
    }
    // What a thing is like or does is no thing of its own.
    else if (word.length > 2 && !PASSED_OVER.has(word) && !/(ing|ed|ly|ful|less|ous)$/.test(word))
      this.#left.add(word);
  }
}
