// The contents of a ZIP for its product's page, and no result for bytes that are not a ZIP.
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { zipContents } from "../../../../core/shop/library/zip-contents.ts";

const name = fc.stringMatching(/^[a-zé0-9]{1,12}(\/[a-zé0-9 .]{1,12}){0,2}x$/);
const files = fc.dictionary(name, fc.uint8Array({ maxLength: 200 }), { maxKeys: 60, noNullPrototype: true });

test("zipContents lists the first 50 files of any ZIP with their sizes, and counts all of them", () => {
  fc.assert(
    fc.property(files, fc.nat({ max: 500 }), (held, before) => {
      const zip = zipSync(held, { comment: "made by hand" } as object);
      const all = Object.entries(held).map(([key, bytes]) => ({ name: key, bytes: bytes.length }));
      const expected = { entries: all.slice(0, 50), count: all.length };
      expect(zipContents(zip)).toEqual(expected);
      const directory = new DataView(zip.buffer, zip.byteOffset).getUint32(zip.length - 6, true);
      expect(zipContents(zip.subarray(Math.min(before, directory)), zip.length)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("zipContents returns undefined or a list, and never throws, for a ZIP with changed or missing bytes", () => {
  const zip = zipSync({ "a/one.txt": strToU8("one"), "two.svg": strToU8("<svg/>") });
  fc.assert(
    fc.property(fc.nat(zip.length), fc.nat(zip.length - 1), fc.nat(255), (from, at, value) => {
      const changed = zip.slice();
      changed[at] = value;
      const found = zipContents(changed.subarray(from), zip.length);
      expect(found === undefined || found.entries.length <= found.count).toBe(true);
    }),
  );
  expect(zipContents(new Uint8Array(10))).toBeUndefined();
  expect(zipContents(zip.subarray(zip.length - 30), zip.length)).toBeUndefined();
});

test("zipContents leaves out folders, macOS metadata, and bidirectional control characters", () => {
  const zip = zipSync({
    "kit/": new Uint8Array(),
    "__MACOSX/kit/._a.txt": strToU8("x"),
    "kit/a\u202Egpj.exe": strToU8("12345"),
    [`kit/${"long".repeat(50)}.svg`]: strToU8("1"),
  });
  const { entries = [], count } = zipContents(zip) ?? {};
  expect([count, entries[0]]).toEqual([2, { name: "kit/agpj.exe", bytes: 5 }]);
  expect(entries[1]?.name).toMatch(/^…\w{115}\.svg$/);
});
