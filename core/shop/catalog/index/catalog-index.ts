// The index over all public products: a base that never changes and a small tail that does. Every method runs to its end without a pause,
// and changes happen only in between, so a query sees exactly one version.
import { type Base, type CountedField, type IndexedProduct, findInBase, wordsOfBase } from "./base.ts";
import { clearBit, fullBits, hasBit } from "./bitset.ts";
import { type Condition, conditionsOf, type IndexQuery, type Parameter } from "./conditions.ts";
import { dictionarySize, wordAt } from "./dictionary.ts";
import { idText } from "./keys.ts";
import { countIn } from "./lists.ts";
import { type Matches, createScratch, findMatches } from "./matches.ts";
import { textAt } from "./numbers.ts";
import { pageOf } from "./page.ts";
import { findInTable, hashBytes } from "./table.ts";
import { type Tail, createTail } from "./tail.ts";

/** The number of filter sets whose facets are remembered until the next change. */
const MAX_REMEMBERED_FACETS = 256;
/** The measured cost of looking up one match's value, in words of a bitset. */
const WORDS_PER_LOOKUP = 3;

export type PageQuery = IndexQuery & { offset: number; limit: number; facets: readonly CountedField[] };

export type IndexPage = {
  total: number;
  /** The slots of the page's products, in order. */
  slots: number[];
  facets: { facet: CountedField; values: readonly FacetValue[] }[];
};

/** Why a query matches nothing. */
export type Emptiness =
  /** No product meets this parameter, whatever the others ask for. */
  | { kind: "alone"; parameter: Parameter }
  /** Without this parameter `others` products match. */
  | { kind: "together"; parameter: Parameter; others: number }
  | { kind: "several"; parameters: Parameter[] };

export type CatalogIndex = {
  readonly productCount: number;
  /** The number of tail entries and dead slots, which the next build will remove. */
  readonly wasteCount: number;
  search(query: PageQuery): IndexPage;
  /** For a query that matches nothing. */
  explainEmpty(query: IndexQuery): Emptiness;
  /** -1 if no public product has the slug. */
  findSlug(slug: string): number;
  findId(id: string): number;
  idAt(slot: number): string;
  slugAt(slot: number): string;
  updatedAtMs(slot: number): number;
  versionAt(slot: number): number;
  /** Takes products that are public now, whatever they were before, and the ids of products that are not any more. */
  apply(upserts: readonly IndexedProduct[], removedIds: readonly string[]): void;
  /** When the last sale began or ended, and when the next will. */
  edges(nowMs: number): { lastMs: number; nextMs: number };
  /** Starts and ends of sales after `told`, up to and including `nowMs`, by time and then by id. */
  edgesAfter(told: Edge, nowMs: number): Edge[];
};

/** The beginning or end of a product's sale. */
export type Edge = { readonly atMs: number; readonly id: string };

export function createCatalogIndex(base: Base): CatalogIndex {
  const live = fullBits(base.count);
  let liveCount = base.count;
  const tail = createTail(base);
  const scratch = createScratch(base.count, wordsOfBase(base));
  const facets = rememberFacets();
  const decoder = new TextDecoder();

  const segments = () => ({ base, live, liveCount, tail });

  function matchesOf(conditions: readonly Condition[]): Matches {
    return findMatches(segments(), conditions, scratch);
  }

  function remove(id: string): void {
    if (tail.remove(id)) return;
    const slot = findInBase(base, id);
    if (slot < 0 || !hasBit(live, slot)) return;
    clearBit(live, slot);
    liveCount--;
  }

  return {
    get productCount() {
      return liveCount + tail.aliveCount;
    },
    get wasteCount() {
      return base.count - liveCount + tail.entries.length;
    },
    search: (query) => {
      const conditions = conditionsOf(segments(), query);
      const matches = matchesOf(conditions);
      const counted = query.facets.map((facet) => ({
        facet,
        values: facets.get(query, facet, () => countValues(segments(), matches, facet)),
      }));
      // This comes last, because it may use the work space that holds the matches.
      const slots = pageOf({ base, tail }, matches, query, scratch);
      return { total: matches.total, slots, facets: counted };
    },
    explainEmpty: (query) =>
      explain(conditionsOf(segments(), query), (conditions) => matchesOf(conditions).total),
    findSlug: (slug) => {
      const entry = tail.findBySlug(slug);
      if (entry !== undefined) return base.count + entry;
      const bytes = Buffer.from(slug);
      const isLive = (slot: number) => bytes.equals(textAt(base.slugs, slot)) && hasBit(live, slot);
      return findInTable(base.slugTable, hashBytes(bytes), isLive);
    },
    findId: (id) => {
      const entry = tail.findById(id);
      if (entry !== undefined) return base.count + entry;
      const slot = findInBase(base, id);
      return slot >= 0 && hasBit(live, slot) ? slot : -1;
    },
    idAt: (slot) => idAt({ base, tail }, slot),
    slugAt: (slot) =>
      tail.entries[slot - base.count]?.product.slug ?? decoder.decode(textAt(base.slugs, slot)),
    updatedAtMs: (slot) =>
      tail.entries[slot - base.count]?.product.updatedAtMs ?? base.updatedAtMs[slot] ?? 0,
    versionAt: (slot) => tail.entries[slot - base.count]?.product.version ?? base.versions[slot] ?? 0,
    apply: (upserts, removedIds) => {
      for (const id of removedIds) remove(id);
      // The last of several states of one product counts.
      const latest = new Map(upserts.map((product) => [product.id, product]));
      for (const id of latest.keys()) remove(id);
      tail.add([...latest.values()]);
      tail.settle();
      facets.clear();
    },
    edges: (nowMs) => edgesAround(segments(), nowMs),
    edgesAfter: (told, nowMs) => edgesBetween(segments(), told, nowMs),
  };
}

type Segments = { base: Base; live: ReturnType<typeof fullBits>; tail: ReturnType<typeof createTail> };

function rememberFacets() {
  const known = new Map<string, readonly FacetValue[]>();
  return {
    get: (query: IndexQuery, facet: CountedField, count: () => readonly FacetValue[]) => {
      // Prices change with time.
      if (query.price) return count();
      const { words, category, subcategory, pricingTier, tags, statuses, sort } = query;
      const filters = [words, category, subcategory, pricingTier, tags, statuses, sort === "home"];
      const key = JSON.stringify([facet, ...filters]);
      const remembered = known.get(key);
      if (remembered) return remembered;
      const values = count();
      if (known.size >= MAX_REMEMBERED_FACETS) known.clear();
      known.set(key, values);
      return values;
    },
    clear: () => known.clear(),
  };
}

/** Why nothing meets all `conditions`. */
function explain(
  conditions: readonly Condition[],
  countMatches: (conditions: readonly Condition[]) => number,
): Emptiness {
  const parameters = [...new Set(conditions.map(({ parameter }) => parameter))];
  // With two conditions, each one's facets are the matches of the other.
  const totals = new Map<string, number>();
  const totalOf = (wanted: readonly Parameter[]): number => {
    const name = wanted.join();
    const total =
      totals.get(name) ?? countMatches(conditions.filter(({ parameter }) => wanted.includes(parameter)));
    totals.set(name, total);
    return total;
  };
  const alone = parameters.find((parameter) => totalOf([parameter]) === 0);
  if (alone) return { kind: "alone", parameter: alone };
  const [best] = parameters
    .map((parameter) => ({ parameter, others: totalOf(parameters.filter((other) => other !== parameter)) }))
    .sort((a, b) => b.others - a.others);
  return best && best.others > 0 ? { kind: "together", ...best } : { kind: "several", parameters };
}

function idAt({ base, tail }: Pick<Segments, "base" | "tail">, slot: number): string {
  const entry = tail.entries[slot - base.count];
  if (entry) return entry.product.id;
  const [a = 0, b = 0, c = 0, d = 0] = base.ids.subarray(slot * 4, slot * 4 + 4);
  return idText([a, b, c, d]);
}

/** The edges of every sale, including infinite ones. */
function eachEdge({ base, live, tail }: Segments, note: (edgeMs: number, slot: number) => void): void {
  base.saleSlots.forEach((slot, i) => {
    if (!hasBit(live, slot)) return;
    note(base.saleStarts[i] as number, slot);
    note(base.saleEnds[i] as number, slot);
  });
  tail.entries.forEach(({ alive, product: { sale } }, i) => {
    if (!alive || !sale) return;
    note(sale.startsAtMs, base.count + i);
    note(sale.endsAtMs, base.count + i);
  });
}

function edgesAround(segments: Segments, nowMs: number): { lastMs: number; nextMs: number } {
  let lastMs = Number.NEGATIVE_INFINITY;
  let nextMs = Number.POSITIVE_INFINITY;
  eachEdge(segments, (edgeMs) => {
    if (edgeMs <= nowMs) lastMs = Math.max(lastMs, edgeMs);
    else nextMs = Math.min(nextMs, edgeMs);
  });
  return { lastMs, nextMs };
}

/** After `told` and not after `nowMs`. */
function edgesBetween(segments: Segments, told: Edge, nowMs: number): Edge[] {
  const edges: Edge[] = [];
  eachEdge(segments, (atMs, slot) => {
    if (atMs < told.atMs || atMs > nowMs) return;
    const edge = { atMs, id: idAt(segments, slot) };
    if (compareEdges(told, edge) < 0) edges.push(edge);
  });
  return edges.sort(compareEdges);
}

function compareEdges(a: Edge, b: Edge): number {
  return a.atMs - b.atMs || (a.id < b.id ? -1 : Number(a.id > b.id));
}

type FacetValue = { readonly value: string; readonly count: number };

/** Values with at least one match, most frequent first, equal ones by value. */
function countValues(
  { base, tail }: { base: Base; tail: Tail },
  matches: Matches,
  field: CountedField,
): FacetValue[] {
  const counts = new Map<string, number>();
  const { dictionary } = base.lists[field];
  countBase(base, matches, field).forEach((count, number) => {
    if (count > 0) counts.set(wordAt(dictionary, number), count);
  });
  for (const entry of matches.tail) {
    for (const value of tail.entries[entry]?.values[field] ?? [])
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function countBase(base: Base, { base: matches }: Matches, field: CountedField): Uint32Array {
  const lists = base.lists[field];
  const values = dictionarySize(lists.dictionary);
  const counts = new Uint32Array(values);
  if (matches.count === 0) return counts;
  // All slots match, and none is dead.
  if (matches.count === base.count) return lists.counts;
  if (matches.kind === "bits") {
    const byValue = lists.slots.length + lists.dense.length * wordsOfBase(base);
    if (byValue < matches.count * WORDS_PER_LOOKUP) {
      for (let value = 0; value < values; value++) counts[value] = countIn(lists, value, matches.bits);
      return counts;
    }
  }
  const { offsets, values: valuesOf } = base.forward[field];
  eachSlot(matches, (slot) => {
    const to = offsets[slot + 1] as number;
    for (let i = offsets[slot] as number; i < to; i++) {
      const value = valuesOf[i] as number;
      counts[value] = (counts[value] as number) + 1;
    }
  });
  return counts;
}

function eachSlot(matches: Matches["base"], visit: (slot: number) => void): void {
  if (matches.kind === "list") {
    for (let i = 0; i < matches.count; i++) visit(matches.slots[i] as number);
    return;
  }
  for (let w = 0; w < matches.bits.length; w++) {
    for (let word = matches.bits[w] as number; word !== 0; word &= word - 1)
      visit((w << 5) | (31 - Math.clz32(word & -word)));
  }
}
