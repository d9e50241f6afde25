// The contents of a ZIP, read from the directory at its end (PKWARE's APPNOTE 6.3, sections 4.3.12 and 4.3.16). This file is pure.

export type ArchiveEntry = { readonly name: string; readonly bytes: number };

/** The first entries of an archive, in its order, and how many files it has in total. */
export type ArchiveContents = { readonly entries: readonly ArchiveEntry[]; readonly count: number };

/** So many of an archive's last bytes are read. A longer directory, which has thousands of files, is not described. */
export const DIRECTORY_BYTES = 2 ** 20;
const MAX_ENTRIES = 50;
const MAX_NAME_CHARACTERS = 120;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
/** In archives of the 64-bit form: the number is stored in another field. */
const ELSEWHERE = 0xffffffff;

/** `tail` is the end of the archive, which has `size` bytes. Undefined if it is none, or has a form that is not read here. */
export function zipContents(tail: Uint8Array, size: number = tail.length): ArchiveContents | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const uint32 = (offset: number) => view.getUint32(offset, true);
  const uint16 = (offset: number) => view.getUint16(offset, true);
  let end = tail.length - END_BYTES;
  while (end >= 0 && uint32(end) !== END_SIGNATURE) end--;
  if (end < 0) return undefined;
  let at = uint32(end + 16) - (size - tail.length);
  if (at < 0) return undefined;
  const entries: ArchiveEntry[] = [];
  let count = 0;
  for (let left = uint16(end + 10); left > 0; left--) {
    if (at + ENTRY_BYTES > end || uint32(at) !== ENTRY_SIGNATURE) return undefined;
    const bytes = uint32(at + 24);
    const nameEnd = at + ENTRY_BYTES + uint16(at + 28);
    if (nameEnd > end || bytes === ELSEWHERE) return undefined;
    const name = shownName(tail.subarray(at + ENTRY_BYTES, nameEnd));
    at = nameEnd + uint16(at + 30) + uint16(at + 32);
    // A folder, or the notes that macOS adds.
    if (name.endsWith("/") || name.startsWith("__MACOSX/")) continue;
    if (count++ < MAX_ENTRIES) entries.push({ name, bytes });
  }
  return { entries, count };
}

/** Control characters, and those that turn the direction of the text around them, are left out. */
function shownName(bytes: Uint8Array): string {
  const name = new TextDecoder().decode(bytes).replace(/[\p{Cc}\p{Cf}]/gu, "");
  const characters = [...name];
  return characters.length <= MAX_NAME_CHARACTERS
    ? name
    : `…${characters.slice(1 - MAX_NAME_CHARACTERS).join("")}`;
}
