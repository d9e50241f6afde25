import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { isForeignServiceName, OWN_SERVICE_NAMES, OWN_SERVICES } from "../../runtime/config/service-names.ts";
import { apiKeyKind, generateApiKey, hashApiKey, KEY_KINDS, maskApiKey } from "../../runtime/keys/api-key.ts";
import {
  createTokenSource,
  loadServiceKey,
  loadTrustedKeys,
  newServiceKey,
  trustedKey,
} from "../../runtime/keys/service-token.ts";
import { useFolder } from "../support/shared.ts";

const folder = useFolder();

describe("the service's own tokens", () => {
  test("are signed once and again shortly before they expire", async () => {
    const token = createTokenSource(newServiceKey(), "gateway");
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const first = await token();
      vi.setSystemTime(Date.now() + 200_000);
      expect(await token()).toBe(first);
      vi.setSystemTime(Date.now() + 50_000);
      expect(await token()).not.toBe(first);
    } finally {
      vi.useRealTimers();
    }
  });

  test("are signed with a separate key for each service, created once in the data folder, readable by its owner only", () => {
    const config = loadConfig({ ATELIER_DATA_DIR: folder("data") });
    const names = ["gateway", "mcp", "cli"] as const;
    const pems = names.map((name) => loadServiceKey(config, name));
    expect(new Set(pems).size).toBe(3);
    expect(names.map((name) => loadServiceKey(config, name))).toEqual(pems);
    for (const [i, name] of names.entries()) {
      const path = folder("data", "service-keys", `${name}.pem`);
      expect(readFileSync(path, "utf8")).toBe(pems[i]);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  test("are signed with the configured key when there is one", () => {
    const pem = newServiceKey();
    const config = loadConfig({ ATELIER_SERVICE_KEY: pem, ATELIER_DATA_DIR: folder("unused") });
    expect(loadServiceKey(config, "gateway")).toBe(pem);
  });

  test("cannot be signed with the single key of an older data folder", () => {
    const dataDir = folder("older");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "service-key.pem"), newServiceKey());
    const trusted = loadTrustedKeys(loadConfig({ ATELIER_DATA_DIR: dataDir }));
    expect(trusted.map(({ name }) => name)).toEqual(["gateway", "mcp", "cli"]);
    const old = trustedKey(readFileSync(join(dataDir, "service-key.pem"), "utf8"), "cli");
    expect(trusted.map(({ jwk }) => jwk.x)).not.toContain(old.jwk.x);
  });

  test("need configured keys in production, as one line for each says", () => {
    const production = { ...loadConfig({ ATELIER_DATA_DIR: folder() }), profile: "production" } as const;
    expect(() => loadServiceKey(production, "gateway")).toThrow(/^ATELIER_SERVICE_KEY is not set: .*gateway/);
    expect(() => loadTrustedKeys(production)).toThrow(/^ATELIER_SERVICE_TRUSTED_KEYS is empty: /);
  });
});

describe("ATELIER_SERVICE_TRUSTED_KEYS", () => {
  const load = (keys: unknown) =>
    loadConfig({ ATELIER_SERVICE_TRUSTED_KEYS: typeof keys === "string" ? keys : JSON.stringify({ keys }) })
      .serviceTrustedKeys;
  const { jwk } = trustedKey(newServiceKey(), "gateway");

  test("lists each key's service; a built-in one may claim its usual scopes, others the listed ones", () => {
    expect(
      load([
        { ...jwk, name: "gateway" },
        { ...jwk, name: "mcp", scopes: ["Jobs", "Admin"] },
        { ...jwk, kid: "b", name: "billing", scopes: ["Credits", "act-as"], use: "sig" },
      ]),
    ).toMatchObject([
      { name: "gateway", scopes: [...OWN_SERVICES.gateway] },
      // Never more than the service's maximum.
      { name: "mcp", scopes: ["Jobs"] },
      { kid: "b", name: "billing", scopes: ["Credits", "act-as"] },
    ]);
  });

  test.each([
    ["no JSON", "nonsense", "not valid JSON"],
    ["no key set", '{"x":1}', "not a JWK set"],
    ["a key without a service", [jwk], "each key must have the name of the service"],
    ["an invalid service name", [{ ...jwk, name: "Billing!" }], "is not the name of a service"],
    ["another service without scopes", [{ ...jwk, name: "billing" }], "must say which scopes it may claim"],
    ["a private key", [{ ...jwk, name: "gateway", d: "AAAA" }], "holds a private key"],
    ["another kind of key", [{ ...jwk, kty: "RSA", name: "gateway" }], "kty must be OKP"],
    ["a broken key", [{ ...jwk, x: "short", name: "gateway" }], "is no Ed25519 public key"],
  ])("is refused in one line: %s", (_what, keys, line) => {
    expect(() => load(keys)).toThrow(line);
    expect(() => load(keys)).toThrow(/^The configuration cannot be used\. ATELIER_SERVICE_TRUSTED_KEYS: /);
  });
});

describe("the name of another internal service", () => {
  test.each(["billing", "support-desk", "a", `a${"b".repeat(62)}`])("may be %s", (name) => {
    expect(isForeignServiceName(name)).toBe(true);
  });

  test.each([
    "",
    "Billing",
    "-billing",
    "1st",
    "two words",
    "a\nb",
    `a${"b".repeat(63)}`,
    ...OWN_SERVICE_NAMES,
  ])("may not be %j", (name) => {
    expect(isForeignServiceName(name)).toBe(false);
  });
});

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
