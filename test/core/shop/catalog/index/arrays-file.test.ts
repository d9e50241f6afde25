// The index file returns exactly what was written, for any chunks.
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readArrays, writeArrays } from "../../../../../core/shop/catalog/index/arrays-file.ts";
import { type Base, createBaseBuilder } from "../../../../../core/shop/catalog/index/base.ts";
import { arbitraryProducts } from "../arbitrary-products.ts";

const arbitraryBase = arbitraryProducts(60).map((products) => {
  const builder = createBaseBuilder();
  for (const product of products) builder.add(product);
  return builder.finish();
});

const bytesOf = (base: Base, about: unknown) => Buffer.concat([...writeArrays(base, about)]);

function* inPieces(bytes: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (pieces: Iterable<Uint8Array>) => readArrays(Readable.from(pieces));

test("returns every array and its metadata, in chunks of any size", async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryBase,
      fc.integer({ min: 1, max: 5_000 }),
      fc.jsonValue(),
      async (base, size, about) => {
        const found = await read(inPieces(bytesOf(base, about), size));
        expect(found.arrays).toEqual(base);
        expect(found.about).toEqual(JSON.parse(JSON.stringify(about)));
      },
    ),
    { numRuns: 40 },
  );
});

test("refuses a truncated file, extra bytes, and a missing header", async () => {
  const [base] = fc.sample(arbitraryBase, { seed: 1, numRuns: 1 });
  const bytes = bytesOf(base as Base, {});
  await expect(read([bytes.subarray(0, -1)])).rejects.toThrow("ends too early");
  await expect(read([bytes.subarray(0, 5)])).rejects.toThrow("ends too early");
  await expect(read([bytes, Buffer.from("x")])).rejects.toThrow("goes on after its end");
  await expect(read([Buffer.alloc(64, 255)])).rejects.toThrow("begins with no header");
});
