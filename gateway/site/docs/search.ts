// Search over all that the docs say: each section of a chapter and each operation is one place that can be found.
export type Place = {
  readonly path: string;
  /** Of the page. */
  readonly title: string;
  /** Of the section; empty for the beginning of a page. */
  readonly heading: string;
  readonly text: string;
  /** Of its samples: found by, and shown where the words are in it alone. */
  readonly code?: string;
};

export type Found = Place & {
  /** The part of the text where the words are, cut at them: every second piece is a word that was looked for. */
  readonly excerpt: readonly string[];
};

export const MOST_FOUND = 20;
const EXCERPT_LENGTH = 220;
const BEFORE = 60;
/** What a word is worth where it stands. */
const WORTH = { title: 12, heading: 8, text: 1 } as const;
/** A word that stands often is worth more, up to here. */
const MOST_TIMES = 5;

/** Words that readers type, with those that the docs use for the same thing. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    pagination: ["paging", "cursor"],
    paginate: ["paging", "cursor"],
    callback: ["webhook"],
    callbacks: ["webhook"],
    token: ["key"],
    login: ["sign"],
    auth: ["authentication"],
    price: ["cost"],
    pricing: ["cost"],
    throttle: ["limit"],
    throttling: ["limit"],
    quota: ["limit"],
    sdk: ["client"],
    library: ["client"],
    sse: ["events"],
    streaming: ["events"],
    polling: ["wait"],
    retry: ["repeat"],
    retries: ["repeat", "retry"],
    watermark: ["content credentials"],
  }),
);

/** The places that contain every word or one that means the same, at least as the beginning of a word, best first. */
export function search(places: readonly Place[], query: string): Found[] {
  const asked = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu))];
  if (asked.length === 0) return [];
  const alternatives = asked.map((word) => [word, ...(SAME.get(word) ?? [])]);
  const words = alternatives.flat();
  const patterns = alternatives.map(
    (same) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${same.join("|")})`, "giu"),
  );
  return places
    .map((place) => ({ place, score: scoreOf(place, patterns) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ place }) => {
      const inText = patterns.some((pattern) => place.text.search(pattern) !== -1);
      return { ...place, excerpt: excerptOf(inText ? place.text : (place.code ?? place.text), words) };
    });
}

/** 0 where a word is missing. */
function scoreOf({ title, heading, text, code = "" }: Place, patterns: readonly RegExp[]): number {
  let score = 0;
  for (const pattern of patterns) {
    const times = (of: string) => Math.min(MOST_TIMES, of.match(pattern)?.length ?? 0);
    const worth =
      times(title) * WORTH.title + times(heading) * WORTH.heading + times(`${text} ${code}`) * WORTH.text;
    if (worth === 0) return 0;
    score += worth;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string[] {
  const pattern = new RegExp(String.raw`((?<![\p{L}\p{N}])(?:${words.join("|")})[\p{L}\p{N}_]*)`, "giu");
  const first = Math.max(0, text.search(pattern));
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const whole = text.slice(from, from + EXCERPT_LENGTH);
  const cut = from + EXCERPT_LENGTH < text.length ? `${whole.slice(0, whole.lastIndexOf(" "))} …` : whole;
  return `${from > 0 ? "… " : ""}${cut}`.split(pattern);
}
