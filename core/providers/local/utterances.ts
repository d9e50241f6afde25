// Cuts a prompt into what can be spoken and what can only be played.
const MAX_CHARACTERS = 140;
/** A run of signs without a pronunciation plays at most this many notes. */
const MAX_NOTES = 8;
const MAX_NOTES_ALONE = 32;

export type Utterance =
  | { kind: "speech"; text: string; /** Silence after it. */ pauseSeconds: number }
  /** One number 0..1 for each sign: the pitch of its note. */
  | { kind: "notes"; pitches: number[] };

const CYRILLIC =
  "а a б b в v г g д d е ye ё yo ж zh з z и ee й y к k л l м m н n о o п p р r с s т t у oo ф f х kh ц ts ч ch ш sh щ shch ъ _ ы i ь _ э e ю yu я ya і ee ї yee є ye ґ g";
const GREEK =
  "α a β v γ g δ d ε e ζ z η ee θ th ι ee κ k λ l μ m ν n ξ ks ο o π p ρ r σ s ς s τ t υ ee φ f χ kh ψ ps ω o";
const LATIN = "ß ss æ ae œ oe ø o đ d ð th þ th ł l ı i";
const SOUNDS = new Map(pairs(`${CYRILLIC} ${GREEK} ${LATIN}`));

/** Never empty: what has no sign at all still plays one note. */
export function utterancesOf(prompt: string): Utterance[] {
  const utterances = runsOf(spellOut(prompt)).flatMap(({ text, speakable }): Utterance[] =>
    speakable ? sentencesOf(text) : notesOf(text, MAX_NOTES),
  );
  if (utterances.some(({ kind }) => kind === "speech")) return utterances;
  const notes = notesOf(prompt, MAX_NOTES_ALONE);
  return notes.length > 0 ? notes : [{ kind: "notes", pitches: [0.5] }];
}

/** Letters with accents lose them; letters of alphabets with near sounds are written in Latin ones. */
function spellOut(prompt: string): string {
  const lower = prompt.normalize("NFKC").toLowerCase();
  const letters = [...lower].map(
    (letter) => SOUNDS.get(letter) ?? SOUNDS.get(letter.normalize("NFD").charAt(0)) ?? letter,
  );
  return letters
    .join("")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[‘’‛]/g, "'")
    .replace(/[–—…]/g, ", ");
}

function runsOf(text: string): { text: string; speakable: boolean }[] {
  const runs = text.match(/[\x20-\x7e\s]+|[^\x20-\x7e\s]+/gu) ?? [];
  return runs.map((run) => ({ text: run, speakable: /[a-z0-9$%&@#+=<>]/.test(run) }));
}

/** Sentences, and long ones cut at commas or between words: the speech engine has room for so much at a time. */
function sentencesOf(text: string): Utterance[] {
  const clean = text.replace(/[^a-z0-9$%&@#+=<>.,;:!?' -]+/g, " ").replace(/\s+/g, " ");
  const sentences = clean.match(/[^.!?;:]+[.!?;:]*/g) ?? [];
  return sentences.flatMap((sentence) => {
    const parts = cut(sentence.trim());
    return parts.map((part, i): Utterance => ({
      kind: "speech",
      text: part,
      pauseSeconds: i < parts.length - 1 ? 0.06 : 0.24,
    }));
  });
}

function cut(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_CHARACTERS) {
    const head = rest.slice(0, MAX_CHARACTERS);
    const comma = head.lastIndexOf(",");
    const space = head.lastIndexOf(" ");
    const at = comma > MAX_CHARACTERS / 3 ? comma + 1 : space > 0 ? space : MAX_CHARACTERS;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...parts, rest].filter((part) => /[a-z0-9$%&@#+=<>]/.test(part));
}

function notesOf(text: string, most: number): Utterance[] {
  // Joiners and selectors change how a sign looks, not how many there are.
  const signs = [...text].filter((sign) => !/[\s\p{M}\p{Cf}\p{Sk}]/u.test(sign));
  if (signs.length === 0) return [];
  return [
    {
      kind: "notes",
      pitches: signs.slice(0, most).map((sign) => (((sign.codePointAt(0) ?? 0) * 7) % 15) / 14),
    },
  ];
}

function pairs(list: string): [string, string][] {
  const words = list.split(" ");
  return words.flatMap((letter, i): [string, string][] =>
    i % 2 === 0 ? [[letter, (words[i + 1] ?? "_").replace("_", "")]] : [],
  );
}
