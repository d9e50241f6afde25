// What an Accept header prefers (RFC 9110, section 12.5.1): it has weights, and among its ranges the most specific one counts.

export type Preference = {
  /** From 0 (not at all) to 1. */
  readonly quality: number;
  /** Whether the type is named in full, not matched by a wildcard. */
  readonly isNamed: boolean;
};

/** How much the header wants `type`, which is given in lower case. Without a header, every type is equally welcome. */
export function preferenceFor(type: string, accept: string | undefined): Preference {
  if (accept === undefined || accept.trim() === "") return { quality: 1, isNamed: false };
  const [kind = ""] = type.split("/");
  const ranges = [type, `${kind}/*`, "*/*"];
  let best = { rank: ranges.length, quality: 0 };
  for (const part of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const rank = ranges.indexOf(range);
    // Of a range that is said twice, the first word holds.
    if (rank !== -1 && rank < best.rank) best = { rank, quality: qualityOf(parameters) };
  }
  return { quality: best.quality, isNamed: best.rank === 0 };
}

/** What cannot be read says nothing. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const value = /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(weight ?? "")?.[1];
  return value === undefined ? 1 : Number(value);
}
