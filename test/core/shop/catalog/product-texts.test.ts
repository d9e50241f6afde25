// Compressed texts by slot: every added text is read back, and texts above the limit are left to the database.
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromText, toText } from "../../../../core/shop/catalog/product-json.ts";
import { createTextsBuilder, findText } from "../../../../core/shop/catalog/product-texts.ts";

const dictionary = Uint8Array.from(Buffer.from(`{"id":"","name":"","slug":"","status":"published"}`));

test("returns every text, for any order of slots and any dictionary", () => {
  const texts = fc.array(fc.option(fc.string({ unit: "grapheme", maxLength: 200 })), { maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.uint8Array({ max: 255, maxLength: 300 }), (all, bytes) => {
      const builder = createTextsBuilder(all.length, Uint8Array.from(bytes));
      for (const [slot, text] of [...all.entries()].reverse()) if (text !== null) builder.add(slot, text);
      const made = builder.finish();
      expect(all.map((_, slot) => findText(made, slot) ?? null)).toEqual(all);
      expect(findText(made, all.length)).toBeUndefined();
    }),
  );
});

test("leaves out a text longer than 64 KiB, and all texts above the memory limit", () => {
  const noise = Array.from({ length: 500 }, (_, i) => (i * 7919).toString(36)).join("");
  const builder = createTextsBuilder(4, dictionary, 2_500);
  builder.add(0, "x".repeat(70_000));
  builder.add(1, noise);
  builder.add(2, noise);
  builder.add(3, "short");
  const texts = builder.finish();
  expect([0, 1, 2, 3].map((slot) => findText(texts, slot))).toEqual([undefined, noise, undefined, "short"]);
});

test("a product's JSON is restored with its sale, also without a start or end", () => {
  const times = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 1_767_225_600_000];
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.option(fc.tuple(fc.constantFrom(...times), fc.constantFrom(...times))),
      fc.nat(),
      (value, window, version) => {
        const json = JSON.stringify(value);
        const onSale = window && { json: `${json} `, startsAtMs: window[0], endsAtMs: window[1] };
        const product = { version, regular: json, onSale };
        expect(fromText(toText(product), version)).toEqual(product);
      },
    ),
  );
});
