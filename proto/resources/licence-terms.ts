// What a licence allows, in plain words, by version. A text under which a licence was ever granted never changes: new words are a new
// version.
import type { LicenceKind } from "./membership.ts";

export type LicenceTerms = {
  /** Counted from 1. */
  readonly version: number;
  /** The terms in one sentence, where there is no space for all of them. */
  readonly summary: string;
  readonly paragraphs: readonly string[];
};

const SHARED = [
  "The licence is for one buyer, a person or a company. It does not end, and updates of the product are included for as long as they are made.",
  "You may change the files and combine them with other work.",
  "You may not resell or give away the files themselves, alone or as the main part of something else, nor offer them where others can take them out again.",
];
const LIABILITY =
  "The product comes as it is. If it is faulty and cannot be repaired, the price is refunded and the licence ends.";

/** Oldest first. */
const TERMS: Readonly<Record<LicenceKind, readonly [LicenceTerms, ...LicenceTerms[]]>> = {
  standard: [
    {
      version: 1,
      summary: "For your own projects, private and commercial, as many as you like.",
      paragraphs: [
        "You may use the product in your own projects, private and commercial, as many as you like.",
        ...SHARED,
        "Work that you are paid to make for someone else needs a client licence.",
        LIABILITY,
      ],
    },
  ],
  client: [
    {
      version: 1,
      summary: "For your own projects, and for work that you are paid to make for clients.",
      paragraphs: [
        "You may use the product in your own projects, and in work that you are paid to make for clients, as many as you like.",
        "A client may use, change and publish what you have made for them with it, and needs no licence of their own for that.",
        ...SHARED,
        LIABILITY,
      ],
    },
  ],
};

export function currentTerms(kind: LicenceKind): LicenceTerms {
  return TERMS[kind].at(-1) ?? TERMS[kind][0];
}

/** Undefined if this kind of licence never had such a version. */
export function findTerms(kind: LicenceKind, version: number): LicenceTerms | undefined {
  return TERMS[kind].find((terms) => terms.version === version);
}
