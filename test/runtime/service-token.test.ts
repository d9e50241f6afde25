import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, importPKCS8, type JWK, SignJWT } from "jose";
import { afterAll, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../runtime/config.ts";
import {
  createTokenSource,
  createTokenVerifier,
  isForeignServiceName,
  loadServiceKey,
  OWN_SERVICE_NAMES,
  signServiceToken,
} from "../../runtime/service-token.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-service-token-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public half as an operator would put it into the trusted set. */
async function publicJwk(pem: string, kid: string): Promise<JWK> {
  const { kty, crv, x } = await exportJWK(await importPKCS8(pem, "EdDSA", { extractable: true }));
  return { kty: kty ?? "", ...(crv && { crv }), ...(x && { x }), kid, alg: "EdDSA" };
}

/** The kid that a token signed with this key names. */
async function kidOf(pem: string): Promise<string> {
  const [header = ""] = (await signServiceToken(pem, "billing", ["Credits"], 60)).split(".");
  return (JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: string }).kid;
}

describe("a service token", () => {
  const pem = newPem();

  test("tells core the service's name, what it may call, and until when", async () => {
    const verify = await createTokenVerifier(pem, undefined);
    const before = Date.now();
    const identity = await verify(await signServiceToken(pem, "billing", ["Credits", "Jobs"], 120));
    expect(identity).toMatchObject({ name: "billing", scopes: ["Credits", "Jobs"] });
    expect(identity?.expiresAt).toBeGreaterThan(before + 118_000);
    expect(identity?.expiresAt).toBeLessThanOrEqual(Date.now() + 121_000);
  });

  test("is refused when it is signed with a key that core does not know", async () => {
    const verify = await createTokenVerifier(pem, undefined);
    expect(await verify(await signServiceToken(newPem(), "billing", ["Credits"], 120))).toBeUndefined();
  });

  test("is refused when a key that core does not know claims the id of one that it knows", async () => {
    const verify = await createTokenVerifier(pem, undefined);
    const forged = await new SignJWT({ scope: "Admin" })
      .setProtectedHeader({ alg: "EdDSA", kid: await kidOf(pem) })
      .setSubject("billing")
      .setAudience("atelier-core")
      .setExpirationTime("2m")
      .sign(await importPKCS8(newPem(), "EdDSA"));
    expect(await verify(forged)).toBeUndefined();
  });

  test.each([
    ["for another audience", { aud: "someone-else", sub: "billing", exp: "2m" }],
    ["without an audience", { aud: undefined, sub: "billing", exp: "2m" }],
    ["that has expired", { aud: "atelier-core", sub: "billing", exp: "-1s" }],
    ["that never expires", { aud: "atelier-core", sub: "billing", exp: undefined }],
    ["that names no service", { aud: "atelier-core", sub: undefined, exp: "2m" }],
  ])("%s is refused", async (_what, { aud, sub, exp }) => {
    const verify = await createTokenVerifier(pem, undefined);
    const jwt = new SignJWT({ scope: "Credits" }).setProtectedHeader({ alg: "EdDSA", kid: await kidOf(pem) });
    if (aud) jwt.setAudience(aud);
    if (sub) jwt.setSubject(sub);
    if (exp) jwt.setExpirationTime(exp);
    expect(await verify(await jwt.sign(await importPKCS8(pem, "EdDSA")))).toBeUndefined();
  });

  test("with its signature taken off or its algorithm changed is refused", async () => {
    const verify = await createTokenVerifier(pem, undefined);
    const [, payload = ""] = (await signServiceToken(pem, "billing", ["Credits"], 60)).split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    expect(await verify(`${none}.${payload}.`)).toBeUndefined();
    // HMAC keyed with the public key: the classic confusion.
    const publicKey = createPublicKey(pem).export({ type: "spki", format: "pem" });
    const confused = await new SignJWT({ scope: "Admin" })
      .setProtectedHeader({ alg: "HS256", kid: await kidOf(pem) })
      .setSubject("billing")
      .setAudience("atelier-core")
      .setExpirationTime("2m")
      .sign(Buffer.from(publicKey));
    expect(await verify(confused)).toBeUndefined();
  });

  test.each(["", "x", "a.b.c", "Bearer ", "\u0000"])(
    "that is no token at all (%j) is refused",
    async (text) => {
      expect(await (await createTokenVerifier(pem, undefined))(text)).toBeUndefined();
    },
  );

  test("stops counting when it expires, also where core has seen it before", async () => {
    const verify = await createTokenVerifier(pem, undefined);
    const token = await signServiceToken(pem, "billing", ["Credits"], 60);
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(await verify(token)).toMatchObject({ name: "billing" });
      vi.setSystemTime(Date.now() + 61_000);
      expect(await verify(token)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("signed with the key before the rotation is good while core trusts that key, and not after", async () => {
    const old = newPem();
    const token = await signServiceToken(old, "billing", ["Credits"], 120);
    const trusted = JSON.stringify({ keys: [await publicJwk(old, await kidOf(old))] });
    const during = await createTokenVerifier(pem, trusted);
    expect(await during(token)).toMatchObject({ name: "billing" });
    expect(await during(await signServiceToken(pem, "billing", ["Credits"], 120))).toMatchObject({
      name: "billing",
    });
    const after = await createTokenVerifier(pem, undefined);
    expect(await after(token)).toBeUndefined();
  });
});

describe("our own tokens", () => {
  test("are signed once and again shortly before they end", async () => {
    const token = createTokenSource(newPem(), "gateway", ["Jobs"]);
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

  test("come from a key that is made once in the data folder, for its owner's eyes only", () => {
    const config = loadConfig({ ATELIER_DATA_DIR: join(folder, "data") });
    const pem = loadServiceKey(config);
    expect(loadServiceKey(config)).toBe(pem);
    const path = join(folder, "data", "service-key.pem");
    expect(readFileSync(path, "utf8")).toBe(pem);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("come from the configured key when there is one", () => {
    const pem = newPem();
    expect(
      loadServiceKey(loadConfig({ ATELIER_SERVICE_KEY: pem, ATELIER_DATA_DIR: join(folder, "unused") })),
    ).toBe(pem);
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
