import { createPublicKey } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { describe, expect, test, vi } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { revokeServiceName } from "../../../../core/kernel/services/names.ts";
import { createRevokedNames } from "../../../../core/kernel/services/revoked-names.ts";
import { createTokenVerifier, type VerifyToken } from "../../../../core/kernel/services/verify-token.ts";
import { ServiceRefused } from "../../../../proto/service-refusals.ts";
import {
  CLAIMS,
  OWN_SERVICES,
  type OwnService,
  OWN_SERVICE_NAMES,
} from "../../../../runtime/config/service-names.ts";
import {
  keyId,
  newServiceKey,
  signServiceToken,
  trustedKey,
} from "../../../../runtime/keys/service-token.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const pems = { gateway: newServiceKey(), mcp: newServiceKey(), cli: newServiceKey() };
const trusted = (Object.keys(OWN_SERVICES) as OwnService[]).map((name) => ({
  ...trustedKey(pems[name], name),
  scopes: name === "cli" ? CLAIMS : OWN_SERVICES[name],
}));
const verify: VerifyToken = async (token) => (await createTokenVerifier(trusted))(token);

/** Why the token is refused; undefined when it is valid. */
async function whyNot(token: string | Promise<string>, check = verify): Promise<string | undefined> {
  try {
    await check(await token);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceRefused) return error.reason;
    throw error;
  }
}

type Claims = {
  aud?: string;
  sub?: string;
  jti?: string;
  iat?: number;
  exp?: string | number;
  scope?: string;
};

/** A token signed with the operator's key unless another is given. */
async function forge(claims: Claims, pem = pems.cli): Promise<string> {
  const { aud, sub, jti, iat, exp, scope = "Credits" } = claims;
  const jwt = new SignJWT({ scope }).setProtectedHeader({
    alg: "EdDSA",
    kid: await keyId(trustedKey(pem, "cli")),
  });
  if (aud !== undefined) jwt.setAudience(aud);
  if (sub !== undefined) jwt.setSubject(sub);
  if (jti !== undefined) jwt.setJti(jti);
  if (iat !== undefined) jwt.setIssuedAt(iat);
  if (exp !== undefined) jwt.setExpirationTime(exp);
  return jwt.sign(await importPKCS8(pem, "EdDSA"));
}

const now = () => Math.floor(Date.now() / 1000);
const good = (): Claims => ({ aud: "atelier-core", sub: "billing", jti: "t1", iat: now(), exp: now() + 120 });

describe("[RPC-04] a service token", () => {
  test("carries the service's name, scopes, expiry and its own id", async () => {
    const before = Date.now();
    const identity = await verify(
      await signServiceToken(pems.cli, "billing", ["Credits", "act-as"], 120, "tok_1"),
    );
    expect(identity).toMatchObject({ name: "billing", claims: ["Credits", "act-as"], tokenId: "tok_1" });
    expect(identity.expiresAt).toBeGreaterThan(before + 118_000);
    expect(await whyNot(forge(good()))).toBeUndefined();
  });

  test("signed with a gateway's or tool server's key can never claim Admin", async () => {
    for (const name of ["gateway", "mcp"] as const) {
      expect(await whyNot(signServiceToken(pems[name], name, OWN_SERVICES[name], 300))).toBeUndefined();
      for (const claim of ["Admin", "CatalogAdmin"] as const)
        expect(await whyNot(signServiceToken(pems[name], name, ["Jobs", claim], 300))).toBe(
          "service_key_exceeded",
        );
    }
    expect(await whyNot(signServiceToken(pems.mcp, "mcp", ["Jobs", "act-as"], 300))).toBe(
      "service_key_exceeded",
    );
  });

  test("is signed for its own name: only the operator's key signs for others, and none for a built-in name", async () => {
    expect(await whyNot(signServiceToken(pems.gateway, "cli", ["Models"], 60))).toBe("service_key_exceeded");
    expect(await whyNot(signServiceToken(pems.gateway, "billing", ["Models"], 60))).toBe(
      "service_key_exceeded",
    );
    expect(await whyNot(signServiceToken(pems.cli, "gateway", ["Models"], 60))).toBe("service_key_exceeded");
    expect(await whyNot(signServiceToken(pems.cli, "billing", [...CLAIMS], 60))).toBeUndefined();
  });

  test("is valid for 15 minutes at most from a service's own key, for a year from the operator's", async () => {
    expect(await whyNot(signServiceToken(pems.gateway, "gateway", ["Jobs"], 900))).toBeUndefined();
    expect(await whyNot(signServiceToken(pems.gateway, "gateway", ["Jobs"], 901))).toBe(
      "service_token_too_long",
    );
    const year = 366 * 86_400;
    expect(await whyNot(signServiceToken(pems.cli, "billing", ["Jobs"], year))).toBeUndefined();
    expect(await whyNot(signServiceToken(pems.cli, "billing", ["Jobs"], year + 1))).toBe(
      "service_token_too_long",
    );
    // Long ago, and in the future.
    expect(await whyNot(forge({ ...good(), iat: now() - year }))).toBe("service_token_too_long");
    expect(await whyNot(forge({ ...good(), iat: now() + 120, exp: now() + 240 }))).toBe(
      "service_token_too_long",
    );
  });

  test.each<[string, Claims, string]>([
    ["for another audience", { aud: "someone-else" }, "service_token_invalid"],
    ["without an audience", { aud: undefined as never }, "service_token_invalid"],
    ["that has expired", { exp: "-1s" }, "service_token_expired"],
    ["that never expires", { exp: undefined as never }, "service_token_invalid"],
    ["without a service name", { sub: undefined as never }, "service_token_invalid"],
    ["without an id", { jti: undefined as never }, "service_token_invalid"],
    ["without an issue time", { iat: undefined as never }, "service_token_invalid"],
    ["with an unknown scope", { scope: "Credits Everything" }, "service_key_exceeded"],
  ])("%s is refused", async (_what, change, reason) => {
    expect(await whyNot(forge({ ...good(), ...change }))).toBe(reason);
  });

  test("a service token of an unknown key, or with a known id and another key, is refused", async () => {
    expect(await whyNot(signServiceToken(newServiceKey(), "billing", ["Credits"], 120))).toBe(
      "service_key_unknown",
    );
    const forged = new SignJWT({ scope: "Admin" })
      .setProtectedHeader({ alg: "EdDSA", kid: await keyId(trustedKey(pems.cli, "cli")) })
      .setSubject("billing")
      .setAudience("atelier-core")
      .setJti("t")
      .setIssuedAt()
      .setExpirationTime("2m")
      .sign(await importPKCS8(newServiceKey(), "EdDSA"));
    expect(await whyNot(forged)).toBe("service_token_invalid");
  });

  test("a service token with its signature removed or its algorithm changed is refused", async () => {
    const [, payload = ""] = (await forge(good())).split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    expect(await whyNot(`${none}.${payload}.`)).toBe("service_token_invalid");
    // HMAC with the public key as the secret: the classic algorithm confusion.
    const confused = await new SignJWT({ scope: "Admin" })
      .setProtectedHeader({ alg: "HS256", kid: await keyId(trustedKey(pems.cli, "cli")) })
      .setSubject("billing")
      .setAudience("atelier-core")
      .setExpirationTime("2m")
      .sign(Buffer.from(createPublicKey(pems.cli).export({ type: "spki", format: "pem" })));
    expect(await whyNot(confused)).toBe("service_token_invalid");
  });

  test.each(["", "x", "a.b.c", "Bearer ", "\u0000"])(
    "a service token that is malformed (%j) is refused",
    async (text) => {
      expect(await whyNot(text)).toBe("service_token_invalid");
    },
  );

  test("is refused once it has expired, also when core has cached it", async () => {
    const check = await createTokenVerifier(trusted);
    const token = await signServiceToken(pems.cli, "billing", ["Credits"], 60);
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(await whyNot(token, check)).toBeUndefined();
      vi.setSystemTime(Date.now() + 61_000);
      expect(await whyNot(token, check)).toBe("service_token_expired");
    } finally {
      vi.useRealTimers();
    }
  });

  test("a service token of the key before a rotation is valid while core trusts that key, for its scopes, and not afterwards", async () => {
    const old = newServiceKey();
    const kept = { ...trustedKey(old, "cli"), scopes: ["Credits"] as const };
    const during = await createTokenVerifier([...trusted, kept]);
    expect(await whyNot(signServiceToken(old, "billing", ["Credits"], 120), during)).toBeUndefined();
    expect(await whyNot(signServiceToken(pems.cli, "billing", ["Credits"], 120), during)).toBeUndefined();
    expect(await whyNot(signServiceToken(old, "billing", ["Admin"], 120), during)).toBe(
      "service_key_exceeded",
    );
    expect(await whyNot(signServiceToken(old, "billing", ["Credits"], 120))).toBe("service_key_unknown");
  });
});

const clock = createFakeClock();
const context = useTestApp({ clock });

/** The app, with its queries counted, and failing while `away`. */
function watchReads(app: App, state: { away: boolean }): { app: App; reads: () => number } {
  let reads = 0;
  const db = new Proxy(app.mongo.db, {
    get(target, name) {
      if (name !== "collection") return Reflect.get(target, name);
      reads++;
      if (state.away) throw new Error("the database is away");
      return target.collection.bind(target);
    },
  });
  return { app: { ...app, mongo: { ...app.mongo, db } }, reads: () => reads };
}

describe("a revoked service name", () => {
  test("[AUTH-12] is refused within a second by every core", async () => {
    const { app } = context;
    const [here, there] = [createRevokedNames(app), createRevokedNames(app)];
    expect(await here.isRevoked("billing")).toBe(false);
    expect(await there.isRevoked("billing")).toBe(false);
    await revokeServiceName(app, "billing");
    clock.advance(1_000);
    expect(await here.isRevoked("billing")).toBe(true);
    expect(await there.isRevoked("billing")).toBe(true);
    expect(await there.isRevoked("search")).toBe(false);
  });

  test("stays refused when it is revoked again", async () => {
    const { app } = context;
    await revokeServiceName(app, "twice");
    await revokeServiceName(app, "twice");
    expect(await createRevokedNames(app).isRevoked("twice")).toBe(true);
  });

  test.each([...OWN_SERVICE_NAMES, "", "Not A Name"])("cannot be %j", async (name) => {
    expect(await refusalOf(revokeServiceName(context.app, name))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "name" }],
    });
  });
});

describe("the check of revoked names", () => {
  test("queries the database at most once a second for any number of calls", async () => {
    const { app, reads } = watchReads(context.app, { away: false });
    const names = createRevokedNames(app);
    await Promise.all(Array.from({ length: 100 }, () => names.isRevoked("search")));
    clock.advance(999);
    await names.isRevoked("search");
    expect(reads()).toBe(1);
    clock.advance(1);
    await Promise.all(Array.from({ length: 100 }, () => names.isRevoked("search")));
    expect(reads()).toBe(2);
  });

  test("refuses all calls when its names are too old, and recovers automatically", async () => {
    const state = { away: false };
    const { app } = watchReads(context.app, state);
    const names = createRevokedNames(app);
    await names.isRevoked("search");
    state.away = true;
    expect(await names.isRevoked("search")).toBe(false);
    clock.advance(1_000);
    await expect(names.isRevoked("search")).rejects.toThrow("the database is away");
    state.away = false;
    expect(await names.isRevoked("search")).toBe(false);
  });

  test("[OPS-21] uses the last known names while the process's own database is down", async () => {
    const state = { away: false };
    const { app } = watchReads(context.app, state);
    const ownDatabase = { isStopped: () => state.away, isShortOfSpace: () => false };
    const names = createRevokedNames({ ...app, ownDatabase });
    await revokeServiceName(context.app, "gone");
    await names.isRevoked("search");
    state.away = true;
    clock.advance(60_000);
    expect(await names.isRevoked("search")).toBe(false);
    expect(await names.isRevoked("gone")).toBe(true);
    await expect(createRevokedNames({ ...app, ownDatabase }).isRevoked("search")).rejects.toThrow("is away");
  });

  test("ignores names from the future after the system clock was set back", async () => {
    const { app } = context;
    const names = createRevokedNames(app);
    await names.isRevoked("drifting");
    await revokeServiceName(app, "drifting");
    clock.advance(-3_600_000);
    expect(await names.isRevoked("drifting")).toBe(true);
  });
});
