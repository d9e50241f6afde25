// A ZIP that is made while it is read.
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { zipFiles, type ZippedFile } from "../../gateway/site/studio/works-actions.ts";

const AT = new Date("2026-03-01T12:00:00Z");

/** A file of this many chunks, and how many of them were read. */
function source(name: string, pieces: number, bytes: number): ZippedFile & { read: number; ended: boolean } {
  const file = {
    name,
    at: AT,
    read: 0,
    ended: false,
    open: async () => pour(),
  };
  async function* pour() {
    try {
      for (let i = 0; i < pieces; i++) {
        file.read++;
        yield new Uint8Array(bytes).fill(i);
      }
    } finally {
      file.ended = true;
    }
  }
  return file;
}

async function whole(files: readonly ZippedFile[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipFiles(files)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("a ZIP of files", () => {
  test("contains each of them unchanged, under its name", async () => {
    const zip = await whole([source("a.png", 3, 1_000), source("夜明け.wav", 1, 5), source("empty", 0, 0)]);
    const files = unzipSync(new Uint8Array(zip));
    expect(Object.entries(files).map(([name, bytes]) => [name, bytes.length, bytes.at(-1)])).toEqual([
      ["a.png", 3_000, 2],
      ["夜明け.wav", 5, 0],
      ["empty", 0, undefined],
    ]);
  });

  test("[SITE-25] is read as fast as its reader takes it, and closes its file on a disconnect", async () => {
    const [first, second] = [source("first", 1_000, 64), source("second", 1_000, 64)];
    const zip = zipFiles([first, second]);
    for (let i = 0; i < 10; i++) await zip.next();
    expect(first.read).toBeLessThan(12);
    expect(second.read).toBe(0);
    await zip.return(undefined);
    expect([first.ended, second.read]).toEqual([true, 0]);
  });

  test("leaves out missing files, and breaks off when a file does", async () => {
    const gone: ZippedFile = { name: "gone", at: AT, open: async () => undefined };
    expect(Object.keys(unzipSync(new Uint8Array(await whole([gone, source("b", 1, 1)]))))).toEqual(["b"]);
    const broken: ZippedFile = {
      name: "broken",
      at: AT,
      open: async () =>
        (async function* () {
          yield new Uint8Array(1);
          throw new Error("away");
        })(),
    };
    await expect(whole([source("b", 1, 1), broken])).rejects.toThrow("away");
  });
});
