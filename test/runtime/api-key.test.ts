import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiKeyKind, generateApiKey, hashApiKey, KEY_KINDS, maskApiKey } from "../../runtime/keys/api-key.ts";

const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const kinds = fc.constantFrom(...KEY_KINDS);

describe("an API key", () => {
  test("has the documented form and shows its kind", () => {
    fc.assert(
      fc.property(kinds, (kind) => {
        const key = generateApiKey(kind);
        expect(key).toMatch(new RegExp(`^atl_${kind}_[0-9A-Za-z]{36}$`));
        expect(apiKeyKind(key)).toBe(kind);
      }),
    );
  });

  test("is unique", () => {
    const keys = Array.from({ length: 2_000 }, () => generateApiKey("gen"));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("is refused with any one character changed, without a database query", () => {
    fc.assert(
      fc.property(kinds, fc.nat(43), fc.constantFrom(...BASE62), (kind, position, character) => {
        const key = generateApiKey(kind);
        fc.pre(key[position] !== character);
        expect(apiKeyKind(key.slice(0, position) + character + key.slice(position + 1))).toBeUndefined();
      }),
    );
  });

  test("is refused with two neighbouring characters swapped, a common typing error", () => {
    fc.assert(
      fc.property(kinds, fc.nat(42), (kind, position) => {
        const key = generateApiKey(kind);
        const first = key.charAt(position);
        const second = key.charAt(position + 1);
        fc.pre(first !== second);
        expect(apiKeyKind(key.slice(0, position) + second + first + key.slice(position + 2))).toBeUndefined();
      }),
    );
  });

  test("is refused when truncated, extended or padded", () => {
    fc.assert(
      fc.property(
        kinds,
        fc.string({ minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 44 }),
        (kind, extra, cut) => {
          const key = generateApiKey(kind);
          expect(apiKeyKind(key.slice(0, -cut))).toBeUndefined();
          expect(apiKeyKind(key + extra)).toBeUndefined();
          expect(apiKeyKind(extra + key)).toBeUndefined();
          expect(apiKeyKind(`${key}\n`)).toBeUndefined();
        },
      ),
    );
  });

  test("is not found in arbitrary text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        expect(apiKeyKind(text)).toBeUndefined();
      }),
    );
  });

  test("an API key of another kind cannot be made by renaming the prefix", () => {
    const key = generateApiKey("gen");
    for (const kind of ["mem", "org", "adm"]) {
      expect(apiKeyKind(key.replace("_gen_", `_${kind}_`))).toBeUndefined();
    }
  });

  test("is masked as prefix and last four characters, and nothing between them is shown", () => {
    fc.assert(
      fc.property(kinds, (kind) => {
        const key = generateApiKey(kind);
        expect(maskApiKey(key)).toBe(`atl_${kind}_…${key.slice(-4)}`);
      }),
    );
  });

  test("is stored as its SHA-256 in lower-case hex", () => {
    expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
