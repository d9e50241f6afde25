// /account/api on the whole service: what a signed-in page may do, and what nobody else may do in its name.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiKeyResource } from "../../proto/resources/api-key.ts";
import type { SessionResource } from "../../proto/resources/session.ts";
import type { UploadResource } from "../../proto/resources/upload.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { refusalOf } from "../support/refusal.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { type Browser, makeOld, signInAs } from "./support/sign-in.ts";

let service: WholeService;
let ada: Browser;
let eve: Browser;

beforeAll(async () => {
  service = await startWholeService();
  for (const name of ["ada", "eve"]) {
    await service.core.admin.CreateAccount({ email: `${name}@example.com`, name, plan: "pro" });
  }
  ada = await signInAs(service, "ada@example.com");
  eve = await signInAs(service, "eve@example.com");
});
afterAll(() => service.close());

type Made = { result: { secret: string; key: ApiKeyResource } };

const createKey = (browser: Browser, body: Record<string, unknown> = {}) =>
  browser.call<Made>("/account/api/keys", { method: "POST", body: { name: "ci", scope: "write", ...body } });

describe("a signed-in person", () => {
  test("is told who they are, by an answer that no cache keeps", async () => {
    const { status, headers, body } = await ada.call("/account/api/me");
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      result: {
        account_id: ada.accountId,
        email: "ada@example.com",
        name: "ada",
        plan: "pro",
        credits_available: 2000,
        csrf_token: ada.csrfToken,
      },
    });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("makes a key that works over HTTP until it is revoked, and sees it whole once only", async () => {
    const made = await createKey(ada, { name: "laptop" });
    expect(made.status).toBe(201);
    const { secret, key } = made.body.result;
    expect(key).toMatchObject({ name: "laptop", scope: "write", revoked_at: null, expires_at: null });
    expect((await service.call("/api/models", { key: secret })).status).toBe(200);

    const list = await ada.call<{ result: { data: ApiKeyResource[] } }>("/account/api/keys");
    expect(list.body.result.data).toContainEqual(
      expect.objectContaining({ key_id: key.key_id, masked: key.masked }),
    );
    expect(list.text).not.toContain(secret);

    const path = `/account/api/keys/${key.key_id}`;
    expect((await ada.call<Made>(path, { method: "DELETE" })).status).toBe(200);
    expectRefusal(await service.call("/api/models", { key: secret }), "invalid_key");
    expect((await ada.call(path, { method: "DELETE" })).status).toBe(200);
  });

  test("rolls a key: both work for the time that was chosen, and the new one is shown once only", async () => {
    const { secret, key } = (await createKey(ada, { name: "server", max_credits: 40 })).body.result;
    const path = `/account/api/keys/${key.key_id}`;
    const rolled = await ada.call<Made & { result: { old: ApiKeyResource } }>(`${path}/roll`, {
      method: "POST",
      body: { overlap: "1h" },
    });
    expect(rolled.status).toBe(201);
    const { result } = rolled.body;
    expect(result.key).toMatchObject({ name: "server", scope: "write", max_credits: 40, replaced_by: null });
    expect(result.old).toMatchObject({ key_id: key.key_id, replaced_by: result.key.key_id });
    expect(Date.parse(result.old.expires_at ?? "")).toBeGreaterThan(Date.now());
    for (const each of [secret, result.secret])
      expect((await service.call("/api/models", { key: each })).status).toBe(200);
    // The program that holds the old one can learn of it.
    const me = await service.call<{ result: { key: ApiKeyResource } }>("/api/me", { key: secret });
    expect(me.body.result.key.replaced_by).toBe(result.key.key_id);
    expect((await ada.call("/account/api/keys")).text).not.toContain(result.secret);
    const again = await ada.call(`${path}/roll`, { method: "POST", body: {} });
    expect(again.body).toMatchObject({ code: "invalid_request", issues: [{ path: "key_id" }] });
  });

  test("gives a key another name and limit, and takes the limit away", async () => {
    const { key } = (await createKey(ada, { name: "build" })).body.result;
    const change = (body: object) =>
      ada.call<{ result: ApiKeyResource }>(`/account/api/keys/${key.key_id}`, { method: "PATCH", body });
    expect((await change({ name: "release", max_credits: 10 })).body.result).toMatchObject({
      name: "release",
      max_credits: 10,
      credits_this_month: 0,
    });
    expect((await change({ max_credits: null })).body.result).toMatchObject({
      name: "release",
      max_credits: null,
    });
    expect((await change({ max_credits: 0 })).body).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "max_credits" }],
    });
  });

  test("reads what each key has spent lately", async () => {
    const { secret, key } = (await createKey(ada, { name: "spender" })).body.result;
    await service.core.admin.GrantCredits({ account: "ada@example.com", amount: 100, kind: "grant" });
    const body = { modality: "image", model_slug: "picture", prompt: "a tree" };
    const headers = { prefer: "wait=20" };
    await service.call("/api/v1/connect/generate", { key: secret, method: "POST", body, headers });
    const spending = await ada.call<{ result: { data: object[] } }>("/account/api/keys/spending");
    expect(spending.body.result.data).toContainEqual({
      key_id: key.key_id,
      month_jobs: 1,
      recent_jobs: 1,
      month_credits: 10,
      recent_credits: 10,
    });
    expect(
      (await eve.call<{ result: { data: object[] } }>("/account/api/keys/spending")).body.result.data,
    ).toEqual([]);
  });

  test("is called something else from the next answer on", async () => {
    const person = await signInAs(service, "name@example.com");
    const rename = (name: string) => person.call("/account/api/me", { method: "PATCH", body: { name } });
    expect((await rename(" Ada Lovelace ")).body).toEqual({ ok: true, result: { name: "Ada Lovelace" } });
    expect((await person.call("/account/api/me")).body).toMatchObject({ result: { name: "Ada Lovelace" } });
    expect((await rename(" ")).body).toMatchObject({ code: "invalid_request", issues: [{ path: "name" }] });
  });

  test("reads what is wrong with a new key, field by field", async () => {
    const { status, body } = await createKey(ada, { name: " ", scope: "all", expires_at: "tomorrow" });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      ok: false,
      code: "invalid_request",
      issues: [{ path: "name" }, { path: "scope" }, { path: "expires_at" }],
    });
  });

  test("rotates the callback secret in two steps; the secret is shown in the first one's answer only", async () => {
    const rotate = () =>
      ada.call<{ result: { secret: string; previous_until: string | null } }>(
        "/account/api/callback-secret",
        {
          method: "POST",
        },
      );
    const first = await rotate();
    expect(first.status).toBe(201);
    expect(first.body.result).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      switches_at: null,
      previous_until: null,
    });
    const second = await rotate();
    expect(second.body.result.secret).not.toBe(first.body.result.secret);
    expect(Date.parse(second.body.result.previous_until ?? "")).toBeGreaterThan(Date.now());
    const switched = await ada.call<object>("/account/api/callback-secret/switch", { method: "POST" });
    expect(switched.status).toBe(200);
    expect(switched.body).toEqual({
      ok: true,
      result: { known: true, switches_at: null, previous_until: expect.any(String) },
    });
    expectRefusal(
      await ada.call("/account/api/callback-secret/switch", { method: "POST" }),
      "invalid_request",
      {
        message: "There is no new callback secret to switch to.",
        hint: "Create one first; x-service-signature changes to it when you switch, or by itself after 24 hours.",
        issues: [{ path: "callback_secret", message: "has no new one beside it" }],
      },
    );
  });

  test("brings a file that only they read and delete; what is no picture is refused and not kept", async () => {
    const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: "#2a6" } })
      .png()
      .toBuffer();
    const path = "/account/api/uploads";
    const bring = (body: Uint8Array, headers: Record<string, string | null> = {}) =>
      ada.call<{ result: UploadResource }>(path, {
        method: "POST",
        body,
        headers: { "content-type": "image/png", ...headers },
      });
    const { status, body } = await bring(png);
    expect([status, body.result]).toEqual([
      201,
      expect.objectContaining({ kind: "image", mime_type: "image/png", width: 3, height: 2 }),
    ]);
    const one = `${path}/${body.result.upload_id}`;
    expect((await ada.call<{ result: UploadResource }>(one)).body.result).toEqual(body.result);
    expectRefusal(await eve.call(one), "upload_not_found");
    expectRefusal(await eve.call(one, { method: "DELETE" }), "upload_not_found");

    expect((await bring(Buffer.from("%PDF-1.7 no picture at all"))).body).toMatchObject({
      ok: false,
      code: "unsupported_input",
    });
    expect((await bring(png, { "x-csrf-token": null })).status).toBe(403);
    expectRefusal(await service.call(path, { method: "POST", body: png }), "not_signed_in");
    const uploads = service.app.mongo.db.collection("uploads");
    expect(await uploads.countDocuments({ account_id: ada.accountId })).toBe(1);

    expect((await ada.call(one, { method: "DELETE" })).body).toEqual({
      ok: true,
      result: { upload_id: body.result.upload_id, deleted: true },
    });
    expectRefusal(await ada.call(one), "upload_not_found");
  });

  test("sees the plans and which one is theirs", async () => {
    const { body } = await ada.call<{ result: { current: string; plans: { plan: string }[] } }>(
      "/account/api/plan",
    );
    expect(body.result.current).toBe("pro");
    expect(body.result.plans.map(({ plan }) => plan)).toEqual(["free", "starter", "pro", "studio"]);
  });

  test("makes no key in a session that is older than a day", async () => {
    const old = await signInAs(service, "old@example.com");
    await service.core.admin.SetPlan({ account: "old@example.com", plan: "pro" });
    await makeOld(service, old);
    const init = { method: "POST", body: JSON.stringify({ name: "x", scope: "read" }) };
    const refused = await old.call("/account/api/keys", init);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ ok: false, code: "sign_in_again" });
    const fresh = await signInAs(service, "old@example.com");
    expect((await fresh.call("/account/api/keys", init)).status).toBe(201);
  });

  test("ends one session, at every gateway at once, and then all others", async () => {
    const here = await signInAs(service, "grace@example.com", "Firefox on a phone");
    const there = await signInAs(service, "grace@example.com", "Chrome at work");
    const third = await signInAs(service, "grace@example.com");
    const elsewhere = await service.openFace({});
    expect((await there.call("/account/api/me", {}, elsewhere)).status).toBe(200);

    const list = await here.call<{ result: { data: SessionResource[] } }>("/account/api/sessions");
    expect(list.body.result.data).toHaveLength(3);
    expect(list.body.result.data.filter(({ current }) => current)).toMatchObject([
      { session_id: here.sessionId, user_agent: "Firefox on a phone" },
    ]);

    const path = `/account/api/sessions/${there.sessionId}`;
    expect((await here.call(path, { method: "DELETE" })).status).toBe(200);
    expectRefusal(await there.call("/account/api/me", {}, elsewhere), "not_signed_in");

    const others = await here.call("/account/api/sessions/revoke-others", { method: "POST" });
    expect(others.body).toEqual({ ok: true, result: { revoked: 1 } });
    expectRefusal(await third.call("/account/api/me", {}, elsewhere), "not_signed_in");
    expect((await here.call("/account/api/me")).status).toBe(200);
  });
});

const WRITES = [
  ["POST", "/account/api/keys"],
  ["DELETE", "/account/api/keys/key_1"],
  ["POST", "/account/api/callback-secret"],
  ["DELETE", "/account/api/sessions/ses_1"],
  ["POST", "/account/api/sessions/revoke-others"],
] as const;
const READS = ["me", "keys", "sessions", "plan"].map((name) => `/account/api/${name}`);

describe("whoever is not signed in", () => {
  test.each(READS)("reads nothing at %s: with no cookie, a forged one, or an API key", async (path) => {
    const { secret } = (await createKey(ada)).body.result;
    expectRefusal(await service.call(path), "not_signed_in");
    const [name] = ada.cookie.split("=");
    const [, payload] = ada.cookie.split(".");
    const unsigned = `${name}=${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    expectRefusal(await service.call(path, { headers: { cookie: unsigned } }), "not_signed_in");
    expectRefusal(await service.call(path, { headers: { cookie: `${ada.cookie}x` } }), "not_signed_in");
    expectRefusal(await service.call(path, { key: secret }), "not_signed_in");
  });

  test.each(WRITES)("changes nothing: %s %s", async (method, path) => {
    expectRefusal(await service.call(path, { method, body: "{}" }), "not_signed_in");
  });
});

describe("a page of another site", () => {
  test.each(WRITES)("cannot make a person's browser change anything: %s %s", async (method, path) => {
    const refused = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": null, origin: "https://evil.example" },
      { "sec-fetch-site": null, origin: "null" },
      { "x-csrf-token": null },
      { "x-csrf-token": eve.csrfToken },
      { "x-csrf-token": "" },
    ];
    for (const headers of refused)
      expectRefusal(await ada.call(path, { method, body: "{}", headers }), "request_forged");
  });

  test("cannot send a form to where JSON is read", async () => {
    const answer = await ada.call("/account/api/keys", {
      method: "POST",
      body: "name=x&scope=write",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expectRefusal(answer, "unsupported_media_type");
  });

  test("may not read answers either", async () => {
    const { headers } = await ada.call("/account/api/me", { headers: { origin: "https://evil.example" } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("what belongs to another person", () => {
  test("looks exactly like what does not exist", async () => {
    const { key, secret } = (await createKey(ada)).body.result;
    for (const [kind, theirs] of [
      ["keys", key.key_id],
      ["sessions", ada.sessionId],
    ] as const) {
      const unknown = await eve.call(`/account/api/${kind}/nothing`, { method: "DELETE" });
      const other = await eve.call(`/account/api/${kind}/${theirs}`, { method: "DELETE" });
      expect(unknown.status).toBe(404);
      expect({ ...other.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });
      expect(other.status).toBe(404);
    }
    expect((await service.call("/api/models", { key: secret })).status).toBe(200);
    expect((await ada.call("/account/api/me")).status).toBe(200);
    for (const path of READS) expect((await eve.call(path)).text).not.toContain(key.key_id);
  });
});

describe("signing out", () => {
  const signOut = (browser: Browser, headers: Record<string, string | null> = {}) =>
    browser.call("/sign-out", {
      method: "POST",
      body: new URLSearchParams({ csrf_token: browser.csrfToken }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": null, ...headers },
    });

  test("ends the session in core, not only the cookie", async () => {
    const here = await signInAs(service, "joan@example.com");
    const { status, headers } = await signOut(here);
    expect(status).toBe(303);
    expect(headers.get("location")).toBe("/");
    expect(headers.get("set-cookie")).toBe("atelier_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    expectRefusal(await here.call("/account/api/me"), "not_signed_in");
  });

  test("is not done by a page of another site", async () => {
    const { body } = await signOut(ada, { "sec-fetch-site": "cross-site" });
    expect(body).toMatchObject({ code: "request_forged" });
    expect((await ada.call("/account/api/me")).status).toBe(200);
  });
});

test("a key neither lists nor ends its owner's sessions", async () => {
  const { secret } = (await createKey(ada)).body.result;
  const call = { caller: { kind: "key", keySha256: hashApiKey(secret), source: "api" } } as const;
  const { sessions } = service.core;
  for (const work of [
    () => sessions.ListSessions({}, call),
    () => sessions.RevokeSession({ session_id: ada.sessionId }, call),
    () => sessions.RevokeOtherSessions({ keep_session_id: "" }, call),
  ])
    expect(await refusalOf(work())).toMatchObject({ code: "insufficient_scope" });
  expect((await ada.call("/account/api/me")).status).toBe(200);
});

test("changes are counted for each account", async () => {
  const strict = await service.openFace({ ATELIER_RATE_LIMITS: "on", ATELIER_RATE_ACCOUNT: "2" });
  const end = (browser: Browser) =>
    browser.call("/account/api/sessions/nothing", { method: "DELETE" }, strict);
  expect((await end(ada)).status).toBe(404);
  expect((await end(ada)).status).toBe(404);
  expect((await end(ada)).body).toMatchObject({ code: "rate_limited" });
  expect((await end(eve)).status).toBe(404);
});

test("nothing of this was a bug", () => {
  expect(service.errors).toEqual([]);
});
