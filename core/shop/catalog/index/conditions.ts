// Turns a query into sets of slots, one for each filter and each search word, whose intersection is the result.
import type { CatalogSort, PublicStatus } from "../../../../proto/resources/product.ts";
import { type Base, type Field, HOME_VALUE, wordsOfBase } from "./base.ts";
import { clearBit, setBit } from "./bitset.ts";
import { findWord, oneEditAway, prefixRange, type Range } from "./dictionary.ts";
import { heavyBits } from "./heavy-prefixes.ts";
import { addRange, anyAlive, NO_SLOTS, type SlotSet, slotsOf } from "./lists.ts";
import { NONE } from "./orders.ts";
import type { Tail } from "./tail.ts";
import { isOneEdit } from "./text.ts";

export type IndexQuery = {
  /**
   * Folded words. All must match, the last one also as the beginning of a word. Null for a search without any word, which matches nothing.
   */
  readonly words: readonly string[] | null;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly pricingTier: string | null;
  /** All must match. */
  readonly tags: readonly string[];
  /** Any may match; null means all, none means nothing. */
  readonly statuses: readonly PublicStatus[] | null;
  readonly sort: CatalogSort;
  /** Bounds of the price at a moment, in cents, both included. Absent: any price, or none. */
  readonly price?: PriceRange | undefined;
};

export type PriceRange = {
  readonly minCents: number | null;
  readonly maxCents: number | null;
  readonly atMs: number;
};

export type Parameter =
  | "search"
  | "category"
  | "subcategory"
  | "pricing_tier"
  | "tag"
  | "status"
  | "price_min"
  | "price_max"
  | "sort";

export type Condition = {
  /** The name by which callers know it. */
  readonly parameter: Parameter;
  /** The most slots of the base that it matches; the smallest is examined first. */
  readonly size: number;
  readonly base: SlotSet | { readonly kind: "union"; readonly fill: (target: Uint32Array) => void };
  /** Entries of the tail, ascending, possibly dead ones too. */
  readonly tail: readonly number[];
};

/** Shorter words have too many neighbours for a correction to be meaningful. */
const MIN_CORRECTED = 3;
/**
 * The most words of one search that are corrected. Each correction scans the words of all recent changes, and blocks this core in the
 * meantime; a search with more misspelt words finds nothing.
 */
const MAX_CORRECTED = 4;

export type Segments = { readonly base: Base; readonly live: Uint32Array; readonly tail: Tail };

const NO_WORD: Condition = { parameter: "search", size: 0, base: NO_SLOTS, tail: [] };

export function conditionsOf(segments: Segments, query: IndexQuery): Condition[] {
  const { category, subcategory, pricingTier, tags, statuses, sort, words, price } = query;
  const { minCents = null, maxCents = null, atMs = 0 } = price ?? {};
  const conditions: Condition[] = [];
  if (category !== null) conditions.push(ofValue(segments, "category", "category", category));
  if (subcategory !== null) conditions.push(ofValue(segments, "subcategory", "subcategory", subcategory));
  if (pricingTier !== null) conditions.push(ofValue(segments, "pricing_tier", "pricing_tier", pricingTier));
  for (const tag of new Set(tags)) conditions.push(ofValue(segments, "tag", "tag", tag));
  if (statuses !== null) conditions.push(ofStatuses(segments, statuses));
  if (minCents !== null) conditions.push(ofPrice(segments, "price_min", atMs, (cents) => cents >= minCents));
  if (maxCents !== null) conditions.push(ofPrice(segments, "price_max", atMs, (cents) => cents <= maxCents));
  if (sort === "home") conditions.push(ofValue(segments, "sort", "home", HOME_VALUE));
  if (words === null) return [...conditions, NO_WORD];
  return [...conditions, ...ofWords(segments, words)];
}

/** Ends with the first word that nothing matches, because the others cannot change that. */
function ofWords(segments: Segments, words: readonly string[]): Condition[] {
  const conditions: Condition[] = [];
  let corrected = 0;
  const correct = (word: string): Condition => {
    corrected += 1;
    return corrected > MAX_CORRECTED ? NO_WORD : ofCorrections(segments, word);
  };
  const last = words.at(-1);
  const whole = [...new Set(words.slice(0, -1))].map((word) => () => ofWord(segments, word) ?? correct(word));
  const begun = last === undefined ? [] : [() => ofLastWord(segments, last) ?? correct(last)];
  for (const make of [...whole, ...begun]) {
    const condition = make();
    conditions.push(condition);
    if (condition.size === 0 && condition.tail.length === 0) break;
  }
  return conditions;
}

function ofValue({ base, tail }: Segments, parameter: Parameter, field: Field, value: string): Condition {
  const lists = base.lists[field];
  const number = findWord(lists.dictionary, value);
  return {
    parameter,
    size: number < 0 ? 0 : (lists.counts[number] as number),
    base: number < 0 ? NO_SLOTS : slotsOf(lists, number, wordsOfBase(base)),
    tail: tail.list(field, value) ?? [],
  };
}

function ofStatuses(segments: Segments, statuses: readonly PublicStatus[]): Condition {
  const { base, tail } = segments;
  const [only, ...others] = [...new Set(statuses)];
  if (only !== undefined && others.length === 0) return ofValue(segments, "status", "status", only);
  const lists = base.lists.status;
  const numbers = statuses
    .map((status) => findWord(lists.dictionary, status))
    .filter((number) => number >= 0);
  return ofRanges(segments, "status", "status", numbers.map(rangeOf), [
    ...new Set(statuses.flatMap((status) => tail.list("status", status) ?? [])),
  ]);
}

/** Reads the price of every product: the result depends on the moment. */
function ofPrice(
  { base, tail }: Segments,
  parameter: Parameter,
  atMs: number,
  isIn: (cents: number) => boolean,
): Condition {
  const isOn = (startsAtMs: number, endsAtMs: number) => startsAtMs <= atMs && atMs < endsAtMs;
  const { prices, saleSlots, salePrices, saleStarts, saleEnds } = base;
  return {
    parameter,
    size: base.count,
    base: {
      kind: "union",
      fill: (target) => {
        for (let slot = 0; slot < base.count; slot++) {
          const cents = prices[slot] as number;
          if (cents !== NONE && isIn(cents)) setBit(target, slot);
        }
        saleSlots.forEach((slot, i) => {
          if (!isOn(saleStarts[i] as number, saleEnds[i] as number)) return;
          if (isIn(salePrices[i] as number)) setBit(target, slot);
          else clearBit(target, slot);
        });
      },
    },
    tail: tail.entries.flatMap(({ product: { priceCents, sale } }, i) => {
      const cents = sale && isOn(sale.startsAtMs, sale.endsAtMs) ? sale.priceCents : priceCents;
      return cents !== null && isIn(cents) ? [i] : [];
    }),
  };
}

/** As the whole word; undefined if no product has it. */
function ofWord(segments: Segments, word: string): Condition | undefined {
  const condition = ofValue(segments, "search", "word", word);
  const number = findWord(segments.base.lists.word.dictionary, word);
  const known = number >= 0 && anyAlive(segments.base.lists.word, rangeOf(number), segments.live);
  return known || anyEntryAlive(segments.tail, condition.tail) ? condition : undefined;
}

/** As the beginning of words; undefined if no product has such a word. */
function ofLastWord(segments: Segments, word: string): Condition | undefined {
  const { base, live, tail } = segments;
  const lists = base.lists.word;
  const range = prefixRange(lists.dictionary, word);
  const entries = entriesOf(tail, (candidate) => candidate.startsWith(word));
  if (!anyAlive(lists, range, live) && !anyEntryAlive(tail, entries)) return undefined;
  const words = wordsOfBase(base);
  const heavy = heavyBits(base.heavyPrefixes, range, words);
  if (heavy)
    return { parameter: "search", size: base.count, base: { kind: "bits", bits: heavy }, tail: entries };
  if (range.to - range.from === 1) {
    const size = lists.counts[range.from] as number;
    return { parameter: "search", size, base: slotsOf(lists, range.from, words), tail: entries };
  }
  return ofRanges(segments, "search", "word", [range], entries);
}

/** As the whole words that are one edit away. */
function ofCorrections(segments: Segments, word: string): Condition {
  const { base, tail } = segments;
  if (word.length < MIN_CORRECTED) return { parameter: "search", size: 0, base: NO_SLOTS, tail: [] };
  const numbers = oneEditAway(base.lists.word.dictionary, word);
  const entries = entriesOf(tail, (candidate) => isOneEdit(candidate, word));
  return ofRanges(segments, "search", "word", numbers.map(rangeOf), entries);
}

function ofRanges(
  { base }: Segments,
  parameter: Parameter,
  field: Field,
  ranges: readonly Range[],
  entries: readonly number[],
): Condition {
  const lists = base.lists[field];
  let size = 0;
  for (const { from, to } of ranges)
    for (let number = from; number < to; number++) size += lists.counts[number] as number;
  return {
    parameter,
    size: Math.min(size, base.count),
    base:
      size === 0
        ? NO_SLOTS
        : {
            kind: "union",
            fill: (target) => {
              for (const range of ranges) addRange(lists, range, target);
            },
          },
    tail: [...entries].sort((a, b) => a - b),
  };
}

/** Entries of the tail that have a word for which `matches` holds, ascending. */
function entriesOf(tail: Tail, matches: (word: string) => boolean): number[] {
  const found = new Set<number>();
  for (const [word, entries] of tail.values("word")) {
    if (matches(word)) for (const entry of entries) found.add(entry);
  }
  return [...found].sort((a, b) => a - b);
}

function anyEntryAlive(tail: Tail, entries: readonly number[]): boolean {
  return entries.some((entry) => tail.entries[entry]?.alive === true);
}

function rangeOf(number: number): Range {
  return { from: number, to: number + 1 };
}
