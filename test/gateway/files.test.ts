// A ZIP that is made while it is read.
import * as fc from "fast-check";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readParts, text } from "../../gateway/http/multipart.ts";
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

/** In chunks of one size, as networks split them. */
async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function encode(form: FormData): Promise<{ bytes: Buffer; contentType: string }> {
  const response = new Response(form);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get("content-type") ?? "",
  };
}

async function readAll(bytes: Buffer, contentType: string, size = 7) {
  const parts: (readonly [string, string | undefined, string])[] = [];
  for await (const { name, filename, body } of readParts(cut(bytes, size), contentType))
    parts.push([name, filename, await text(body, 1e6)]);
  return parts;
}

describe("a form with files", () => {
  test("is read part by part, for any chunks and contents", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("a", "b.c"), fc.string({ unit: "binary" })), { maxLength: 4 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        async (fields, file, size) => {
          const form = new FormData();
          for (const [name, value] of fields) form.append(name, value);
          form.append("file", new File([Buffer.from(file)], "x.png"));
          form.append("after", "\r\n--");
          const { bytes, contentType } = await encode(form);
          const seen: unknown[] = [];
          let got = Buffer.alloc(0);
          for await (const { name, filename, body } of readParts(cut(bytes, size), contentType)) {
            if (filename !== undefined) for await (const piece of body) got = Buffer.concat([got, piece]);
            else seen.push([name, await text(body, 1e6)]);
          }
          expect(got.equals(Buffer.from(file))).toBe(true);
          // Line breaks in fields have two characters on the wire.
          const wire = (value: string) => value.replaceAll(/\r\n|\r|\n/g, "\r\n").toWellFormed();
          expect(seen).toEqual([...fields.map(([name, value]) => [name, wire(value)]), ["after", "\r\n--"]]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("skips parts that are not read to the end", async () => {
    const form = new FormData();
    form.append("file", new File([Buffer.alloc(5_000, 7)], "x.png"));
    form.append("second", new File([Buffer.alloc(5_000, 8)], "y.png"));
    form.append("last", "one");
    const { bytes, contentType } = await encode(form);
    const names: string[] = [];
    for await (const { name, body } of readParts(cut(bytes, 512), contentType)) {
      names.push(name);
      if (name === "second") for await (const _ of body) break;
      if (name === "last") names.push(await text(body, 10));
    }
    expect(names).toEqual(["file", "second", "last", "one"]);
  });

  test("a form with files that is truncated, or has no boundary or a header that is too long, is refused", async () => {
    const form = new FormData();
    form.append("prompt", "a lighthouse");
    const { bytes, contentType } = await encode(form);
    const refusals = [
      readAll(bytes.subarray(0, -8), contentType),
      readAll(bytes.subarray(0, 40), contentType),
      readAll(bytes, "multipart/form-data"),
      readAll(bytes, "multipart/form-data; boundary=another"),
      readAll(
        Buffer.from(`--b\r\nx: ${"y".repeat(20_000)}\r\n\r\n`),
        "multipart/form-data; boundary=b",
        1000,
      ),
      readAll(
        Buffer.from("--b\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--"),
        "multipart/form-data; boundary=b",
      ),
    ];
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: "invalid_request" });
    expect(await readAll(bytes, contentType)).toEqual([["prompt", undefined, "a lighthouse"]]);
  });
});
