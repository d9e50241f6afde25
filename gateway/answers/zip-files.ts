// Several files as one ZIP archive, made as it is read: whatever their size, one piece is in memory. Stored as they are, because pictures,
// clips and sound are compressed already.
import { Zip, ZipPassThrough } from "fflate";

/** Sizes and offsets in such an archive have 32 bits, and names and headers need some of that. */
export const MAX_ZIP_BYTES = 4 * 10 ** 9;

export type ZippedFile = {
  readonly name: string;
  readonly at: Date;
  /** Called when its turn comes; undefined if the file is gone by then, which leaves it out. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>;
};

/** Throws what reading a file throws. The archive is then cut off, which its reader notices. */
export async function* zipFiles(files: readonly ZippedFile[]): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    made.push(data);
  });
  const taken = () => {
    const all = made;
    made = [];
    return all;
  };
  for (const { name, at, open } of files) {
    const pieces = await open();
    if (!pieces) continue;
    const file = new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    for await (const piece of pieces) {
      file.push(piece);
      yield* taken();
    }
    file.push(NOTHING, true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

const NOTHING = new Uint8Array();
