// Which media types an Accept header prefers (RFC 9110, section 12.5.1). Ranges have weights, and the most specific range applies.

export type Preference = {
  /** From 0 (not at all) to 1. */
  readonly quality: number;
  /** Whether the header names the type in full, not by a wildcard. */
  readonly isNamed: boolean;
};

/** The weight that the header gives to `type` (in lower case). Without a header, every type has the same weight. */
export function preferenceFor(type: string, accept: string | undefined): Preference {
  if (accept === undefined || accept.trim() === "") return { quality: 1, isNamed: false };
  const [kind = ""] = type.split("/");
  const ranges = [type, `${kind}/*`, "*/*"];
  let best = { rank: ranges.length, quality: 0 };
  for (const part of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const rank = ranges.indexOf(range);
    // If a range appears twice, the first one applies.
    if (rank !== -1 && rank < best.rank) best = { rank, quality: qualityOf(parameters) };
  }
  return { quality: best.quality, isNamed: best.rank === 0 };
}

/** A weight that cannot be read is ignored. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const value = /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(weight ?? "")?.[1];
  return value === undefined ? 1 : Number(value);
}
