// Sessions of another system, verified with its published key set.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { expectRefusal, type HttpCalls } from "../support/http-calls.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const ISSUER = "https://id.example.com";
const AUDIENCE = "atelier";
const KID = "key-1";

let issuer: Server;
let service: WholeService;
let privateKey: CryptoKey;
let publicKey: CryptoKey;
let jwksUrl: string;

beforeAll(async () => {
  ({ privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true }));
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: KID, alg: "ES256" }] };
  issuer = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(keys));
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks.json`;
  service = await startWholeService({ worker: false, env: outside(jwksUrl) });
});
afterAll(async () => {
  await service.close();
  issuer.close();
});

const outside = (url: string) => ({
  ATELIER_SESSION_JWKS_URL: url,
  ATELIER_SESSION_ISSUER: ISSUER,
  ATELIER_SESSION_AUDIENCE: AUDIENCE,
  ATELIER_SESSION_COOKIE: "outside",
});

type Changes = { claims?: JWTPayload; key?: CryptoKey | Uint8Array; alg?: string; expires?: string };

function issue(
  email: string,
  { claims = {}, key = privateKey, alg = "ES256", expires = "5m" }: Changes = {},
) {
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, email, email_verified: true, ...claims })
    .setProtectedHeader({ alg, kid: KID })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key);
}

const me = (token: string, at: HttpCalls = service) =>
  at.call<{ result: { account_id: string; csrf_token: string } }>("/account/api/me", {
    headers: { cookie: `outside=${token}` },
  });

test("[SIGN-05] a token of another issuer signs in to the account of its address, by cookie or bearer", async () => {
  const token = await issue("Ada@example.com", { claims: { name: "Ada Lovelace" } });
  const first = await me(token);
  expect(first.body).toMatchObject({
    result: { email: "ada@example.com", name: "Ada Lovelace", plan: "free" },
  });
  const bearer = await service.call("/account/api/me", { key: token });
  expect(bearer.body).toEqual(first.body);
  const again = await me(await issue("ada@example.com"));
  expect(again.body.result.account_id).toBe(first.body.result.account_id);
});

test("changes with a token of another issuer need the form token of that session", async () => {
  const token = await issue("grace@example.com");
  const other = await me(await issue("grace@example.com", { claims: { jti: "another" } }));
  const { csrf_token } = (await me(token)).body.result;
  const rotate = (csrf: string) =>
    service.call("/account/callbacks/secret", {
      method: "POST",
      body: new URLSearchParams({ csrf_token: csrf }).toString(),
      headers: {
        cookie: `outside=${token}`,
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
      },
    });
  expect((await rotate(other.body.result.csrf_token)).body).toMatchObject({ code: "request_forged" });
  expect((await rotate(csrf_token)).status).toBe(201);
});

test.each<[string, () => Promise<string>]>([
  ["of another issuer", () => issue("eve@example.com", { claims: { iss: "https://evil.example" } })],
  ["for another audience", () => issue("eve@example.com", { claims: { aud: "elsewhere" } })],
  ["that has expired", () => issue("eve@example.com", { expires: "-1s" })],
  ["with an unverified address", () => issue("eve@example.com", { claims: { email_verified: false } })],
  [
    "with a verification claim that is not a boolean",
    () => issue("eve@example.com", { claims: { email_verified: "true" } }),
  ],
  ["without an address", () => issue("", { claims: { email: undefined } })],
  [
    "signed by another key",
    async () => issue("eve@example.com", { key: (await generateKeyPair("ES256")).privateKey }),
  ],
  [
    "signed with the public key as an HMAC secret",
    async () =>
      issue("eve@example.com", { alg: "HS256", key: new TextEncoder().encode(await exportSPKI(publicKey)) }),
  ],
  ["that is malformed", async () => "eve@example.com"],
])("a token %s signs no one in", async (_what, make) => {
  expectRefusal(await me(await make()), "not_signed_in");
});

test("a token cannot be verified while its issuer is away, which the page reports", async () => {
  const lost = await service.openEdge(outside("http://127.0.0.1:1/jwks.json"));
  const { status, body } = await me(await issue("ada@example.com"), lost);
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: "service_unavailable" });
});

test("a token is ignored where no key set is configured", async () => {
  const plain = await service.openEdge({ ATELIER_SESSION_JWKS_URL: "" });
  expectRefusal(await me(await issue("ada@example.com"), plain), "not_signed_in");
});

test("signing out removes the token's cookie", async () => {
  const token = await issue("joan@example.com");
  const { csrf_token } = (await me(token)).body.result;
  const { status, headers } = await service.call("/sign-out", {
    method: "POST",
    headers: { cookie: `outside=${token}`, "x-csrf-token": csrf_token, "sec-fetch-site": "same-origin" },
  });
  expect(status).toBe(303);
  expect(headers.get("set-cookie")).toBe("outside=; Path=/; Max-Age=0");
});

test("a key set without an issuer and an audience is refused at the start", () => {
  expect(() => loadConfig({ ATELIER_SESSION_JWKS_URL: jwksUrl })).toThrow(
    /ATELIER_SESSION_ISSUER: required with ATELIER_SESSION_JWKS_URL.*ATELIER_SESSION_AUDIENCE: required/,
  );
});
