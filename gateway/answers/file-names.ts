// Names for the files of jobs: after their prompt, in letters that every system accepts, and also in the prompt's own.

/** By media type. Browsers may display those that are `shown`; anything else is offered as a download. */
const KINDS: Readonly<Record<string, { extension: string; shown: boolean }>> = {
  "image/png": { extension: "png", shown: true },
  "image/jpeg": { extension: "jpg", shown: true },
  "image/webp": { extension: "webp", shown: true },
  "image/gif": { extension: "gif", shown: true },
  "image/avif": { extension: "avif", shown: true },
  "image/svg+xml": { extension: "svg", shown: false },
  "audio/wav": { extension: "wav", shown: true },
  "audio/x-wav": { extension: "wav", shown: true },
  "audio/mpeg": { extension: "mp3", shown: true },
  "audio/ogg": { extension: "ogg", shown: true },
  "audio/flac": { extension: "flac", shown: true },
  "audio/mp4": { extension: "m4a", shown: true },
  "audio/aac": { extension: "aac", shown: true },
  "video/mp4": { extension: "mp4", shown: true },
  "video/webm": { extension: "webm", shown: true },
};

export const SHOWN_TYPES = Object.keys(KINDS).filter((type) => KINDS[type]?.shown);

/** Longer names are cut after a word, or inside it if the first word alone is longer. */
const STEM_LENGTH = 60;

/** `ascii` for systems that accept nothing else; both have the extension. */
export type FileName = { readonly ascii: string; readonly full: string };

/** a-lighthouse-at-dawn-1.png. `fallback` is for prompts without a letter or digit. */
export function fileName(
  { prompt, ordinal, fallback }: { prompt: string; ordinal: number; fallback: string },
  mimeType: string,
): FileName {
  const extension = KINDS[mimeType]?.extension;
  const end = extension === undefined ? "" : `.${extension}`;
  const full = fullStem(prompt);
  const ascii = asciiStem(prompt);
  return {
    full: `${full === "" ? fallback : `${full}-${ordinal}`}${end}`,
    ascii: `${ascii === "" ? fallback : `${ascii}-${ordinal}`}${end}`,
  };
}

/** The words of a prompt, by which files with equal names are numbered. */
export function fullStem(prompt: string): string {
  return stem(prompt.normalize("NFC").toLowerCase(), /[^\p{L}\p{M}\p{N}]+/u);
}

/** Letters that are not just a letter with an accent. */
const SPELT: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d" };

function asciiStem(prompt: string): string {
  // Accents go, and their letters stay.
  const plain = prompt.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return stem(
    plain.replaceAll(/[ßæœøłđ]/g, (letter) => SPELT[letter] ?? ""),
    /[^a-z0-9]+/,
  );
}

function stem(text: string, between: RegExp): string {
  let kept = "";
  for (const word of text.split(between)) {
    if (word === "") continue;
    const longer = kept === "" ? [...word].slice(0, STEM_LENGTH).join("") : `${kept}-${word}`;
    if (longer.length > STEM_LENGTH && kept !== "") break;
    kept = longer;
  }
  return kept;
}

/** The header (RFC 6266), with the full name as RFC 8187 writes it, if that differs. */
export function contentDisposition(kind: "inline" | "attachment", { ascii, full }: FileName): string {
  const plain = `${kind}; filename="${ascii}"`;
  return full === ascii ? plain : `${plain}; filename*=UTF-8''${extendedValue(full)}`;
}

function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
