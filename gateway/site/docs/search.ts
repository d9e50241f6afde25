// Search over the docs. Each section of a chapter and each operation is one result.
export type Place = {
  readonly path: string;
  /** The title of the page. */
  readonly title: string;
  /** The title of the section; empty for the beginning of a page. */
  readonly heading: string;
  readonly text: string;
  /** The text of its samples, which is searched too and shown only if nothing else matches. */
  readonly code?: string;
};

export type Found = Place & {
  /** The excerpt with the matches, split at them: every second piece is a matched word. */
  readonly excerpt: readonly string[];
};

export const MOST_FOUND = 20;
const EXCERPT_LENGTH = 220;
const BEFORE = 60;
/** The score of a word by where it occurs. */
const WORTH = { title: 12, heading: 8, text: 1 } as const;
/** The maximum score for repeated occurrences. */
const MOST_TIMES = 5;

/** Words that readers type, with the docs' words for the same thing. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    pagination: ["paging", "cursor"],
    paginate: ["paging", "cursor"],
    callback: ["webhook"],
    callbacks: ["webhook"],
    key: ["authentication"],
    keys: ["authentication"],
    token: ["key", "authentication"],
    login: ["sign"],
    auth: ["authentication"],
    price: ["credit costs"],
    pricing: ["credit costs"],
    budget: ["spending limits"],
    throttle: ["limit"],
    throttling: ["limit"],
    quota: ["limit"],
    sdk: ["client"],
    library: ["client"],
    sse: ["server-sent"],
    streaming: ["events"],
    polling: ["wait"],
    retry: ["repeat"],
    retries: ["repeat", "retry"],
    watermark: ["content credentials"],
  }),
);

/** Words of questions, which say nothing about where the answer is. Every page is about the API. */
const NOISE = new Set(
  "a an and api can do does for from get how i in is it make my of on or the to use what when where with".split(
    " ",
  ),
);

/** The results that contain each word or a synonym, at least as a prefix, best first. */
export function search(places: readonly Place[], query: string): Found[] {
  const typed = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu))];
  if (typed.length === 0) return [];
  const telling = typed.filter((word) => !NOISE.has(word));
  const asked = telling.length > 0 ? telling : typed;
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

/** Returns 0 if a word is missing. Where its title has the word, the beginning of a page comes before its sections. */
function scoreOf({ title, heading, text, code = "" }: Place, patterns: readonly RegExp[]): number {
  let score = 0;
  for (const pattern of patterns) {
    const times = (of: string) => Math.min(MOST_TIMES, of.match(pattern)?.length ?? 0);
    const said = times(`${text} ${code}`);
    const isBeginning = heading === "" && times(title) > 0;
    const worth =
      times(title) * WORTH.title +
      times(heading || title) * WORTH.heading +
      (isBeginning ? said + MOST_TIMES : said) * WORTH.text;
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
