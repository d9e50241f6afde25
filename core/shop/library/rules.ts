// The rules of a product's file: its media type by its name, and whether its first bytes match. This file is pure.
import { AppError } from "../../../proto/codes.ts";

const HOUR_MS = 60 * 60 * 1000;
/** How long a copied link works. */
export const LINK_SECONDS = 10 * 60;

type Kind = {
  readonly mediaType: string;
  /** Its first bytes, in hex; any of them. Absent if they say nothing. */
  readonly begins?: readonly string[];
  readonly words?: string;
};

const KINDS: Readonly<Record<string, Kind>> = {
  zip: { mediaType: "application/zip", begins: ["504b0304"], words: "a ZIP with something in it" },
  pdf: { mediaType: "application/pdf", begins: ["25504446"], words: "a PDF" },
  png: { mediaType: "image/png", begins: ["89504e470d0a1a0a"], words: "a PNG picture" },
  jpg: { mediaType: "image/jpeg", begins: ["ffd8ff"], words: "a JPEG picture" },
  jpeg: { mediaType: "image/jpeg", begins: ["ffd8ff"], words: "a JPEG picture" },
  gz: { mediaType: "application/gzip", begins: ["1f8b"], words: "a gzip file" },
  tgz: { mediaType: "application/gzip", begins: ["1f8b"], words: "a gzip file" },
  "7z": { mediaType: "application/x-7z-compressed", begins: ["377abcaf271c"], words: "a 7z archive" },
  woff2: { mediaType: "font/woff2", begins: ["774f4632"], words: "a WOFF2 font" },
  woff: { mediaType: "font/woff", begins: ["774f4646"], words: "a WOFF font" },
  otf: { mediaType: "font/otf", begins: ["4f54544f"], words: "an OpenType font" },
  ttf: { mediaType: "font/ttf", begins: ["00010000", "74727565"], words: "a TrueType font" },
  txt: { mediaType: "text/plain" },
  md: { mediaType: "text/markdown" },
};
const ANY: Kind = { mediaType: "application/octet-stream" };

/** How many of a file's first bytes are needed to recognize it. */
export const TELLING_BYTES = 8;
/** More versions than anyone looks through. */
const MAX_FILES = 100;

export function mediaTypeOf(name: string): string {
  return kindOf(name).mediaType;
}

/** Throws invalid_request for a file that does not match its name. */
export function checkBeginning(name: string, beginning: Uint8Array): void {
  const { begins, words = "" } = kindOf(name);
  const hex = Buffer.from(beginning).toString("hex");
  if (!begins || begins.some((wanted) => hex.startsWith(wanted))) return;
  throw refusedFile(`does not begin like ${words}, which its name says it is`);
}

/** Throws invalid_request if the file is not the one that was announced. */
export function checkArrived(
  announced: { bytes: number; sha256: string },
  arrived: { bytes: number; sha256: string },
): void {
  if (arrived.bytes !== announced.bytes)
    throw refusedFile(`has ${arrived.bytes} bytes and not the ${announced.bytes} that were announced`);
  if (arrived.sha256 !== announced.sha256)
    throw refusedFile("is not the one that was announced: its SHA-256 is another");
}

/** Throws invalid_request. */
export function checkFileCount(files: number): void {
  if (files >= MAX_FILES)
    throw refusedFile(`is one too many: the product has ${files}; remove one that is out of date`);
}

export function tooLarge(maxBytes: number): AppError {
  const message = `must have at most ${maxBytes / 2 ** 20} MiB`;
  return new AppError("invalid_request", {
    message: `The file ${message}.`,
    hint: "Make it smaller or in several parts, or raise ATELIER_MAX_PRODUCT_FILE_MB.",
    issues: [{ path: "file", message }],
  });
}

export function refusedFile(message: string): AppError {
  return new AppError("invalid_request", {
    message: `The file ${message}.`,
    hint: "Nothing was stored. Check the file and add it again.",
    issues: [{ path: "file", message }],
  });
}

function kindOf(name: string): Kind {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && Object.hasOwn(KINDS, extension) ? (KINDS[extension] ?? ANY) : ANY;
}

/** The hour of a time; the requests of one download are counted by the hour. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}
