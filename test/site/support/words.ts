// The text of a page for readers and screen readers, without markup; and the programmers' terms and missing spaces in it.

/** Attributes that are read out or shown. */
const SPOKEN = /\b(?:alt|aria-label|placeholder|title|label)="([^"]*)"/g;
const UNSEEN = /<(script|style|template|svg|noscript)\b[\s\S]*?<\/\1>/g;
/** Code to copy may use programmers' terms. */
const CODE_BLOCK = /<pre\b[\s\S]*?<\/pre>/g;
const BLOCK_END =
  /<\/(?:p|h[1-6]|li|dt|dd|div|section|article|nav|header|footer|form|label|legend|button|summary|option|td|th|tr|caption|title|figcaption)>|<br\s*\/?>|<(?:input|img|hr)\b[^>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** One line for each piece, in the order of the page. */
export function wordsOf(html: string): string[] {
  const [, title = ""] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const body = /<body[\s\S]*<\/body>/.exec(html)?.[0] ?? html;
  const seen = body.replaceAll(CODE_BLOCK, "").replaceAll(UNSEEN, "").replaceAll(/\s+/g, " ");
  const spoken = seen.replaceAll(/<[a-z][^>]*>/g, (tag) => {
    const said = [...tag.matchAll(SPOKEN)].map(([, words = ""]) => words);
    return said.length === 0 ? tag : `\n${said.join("\n")}\n${tag}`;
  });
  return [
    title,
    ...spoken
      .replaceAll(BLOCK_END, "\n")
      .replaceAll(/<[^>]+>/g, "")
      .split("\n"),
  ]
    .map((line) => decode(line).replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

function decode(text: string): string {
  return text
    .replaceAll(/&#(x?)([0-9a-f]+);/gi, (_match, hex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, hex === "" ? 10 : 16)),
    )
    .replaceAll(/&([a-z]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

const TECHNICAL: Readonly<Record<string, RegExp>> = {
  "an endpoint": /\b(?:GET|POST|PUT|PATCH|DELETE) \/\S*|(?<![\w.])\/(?:account\/)?api\/[\w/.{}-]*/g,
  // Ids and keys continue in capitals, or stand alone when masked; file names have an extension.
  "a field": /(?<![\w-])(?!atl_)[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w-]|\.json\b)/g,
  "a model's slug": /(?<![\w/:.-])atelier-[a-z]+\b/g,
  "an order's id": /\bord_/g,
  "a status code": /\b(?:HTTP|status(?: code)?):? [1-5]\d\d\b|^[45]\d\d$/gi,
  // Where a line of a template ends before a value.
  "a missing space": /[a-z]\.(?=(?:After|It|Nothing|The|You|Your)\b)|\b(?:about|until|to)\d/g,
  "a header": /\b(?:Retry-After|Content-Type|Content-Range|Idempotency-Key|Authorization|x-csrf-token)\b/gi,
};

/** Programmers' terms in these lines, as "an endpoint: GET /api/catalog, in …". */
export function technicalWords(lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    Object.entries(TECHNICAL).flatMap(([kind, pattern]) =>
      [...line.matchAll(pattern)].map(([found]) => `${kind}: ${found}, in "${line}"`),
    ),
  );
}
