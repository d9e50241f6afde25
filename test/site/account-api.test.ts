// /account/api on the whole service: requests of a signed-in page's scripts, and refused requests of other pages.
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, test } from "vitest";
import type { UploadResource } from "../../proto/resources/upload.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { answerWith, receiver } from "../core/studio/webhooks/receiver.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { refusalOf } from "../support/refusal.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { sendForm } from "./support/forms.ts";
import { type Browser, makeKey, signInAs } from "./support/sign-in.ts";

const UPLOADS = "/account/api/uploads";

let ada: Browser;
let eve: Browser;

const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  for (const name of ["ada", "eve"]) {
    await service.core.admin.CreateAccount({ email: `${name}@example.com`, name, plan: "pro" });
  }
  ada = await signInAs(service, "ada@example.com");
  eve = await signInAs(service, "eve@example.com");
});

describe("a signed-in page's script", () => {
  test("reads the current person in an uncached response", async () => {
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

  test("uploads a picture; other files are refused and not stored", async () => {
    const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: "#2a6" } })
      .png()
      .toBuffer();
    const bring = (body: Uint8Array, headers: Record<string, string | null> = {}) =>
      ada.call<{ result: UploadResource }>(UPLOADS, {
        method: "POST",
        body,
        headers: { "content-type": "image/png", ...headers },
      });
    const { status, body } = await bring(png);
    expect([status, body.result]).toEqual([
      201,
      expect.objectContaining({ kind: "image", mime_type: "image/png", width: 3, height: 2 }),
    ]);
    expect((await bring(Buffer.from("%PDF-1.7 no picture at all"))).body).toMatchObject({
      ok: false,
      code: "unsupported_input",
    });
    expect((await bring(png, { "x-csrf-token": null })).status).toBe(403);
    expectRefusal(await service.call(UPLOADS, { method: "POST", body: png }), "not_signed_in");
    const uploads = service.app.mongo.db.collection("uploads");
    expect(await uploads.countDocuments({ account_id: ada.accountId })).toBe(1);
  });
});

describe("a request without a session", () => {
  test.each(["me", "credits/balance", "credits/ledger"])(
    "reads nothing at /account/api/%s: with no cookie, a forged one, or an API key",
    async (name) => {
      const path = `/account/api/${name}`;
      const { secret } = await makeKey(service, ada);
      expectRefusal(await service.call(path), "not_signed_in");
      const [cookie] = ada.cookie.split("=");
      const [, payload] = ada.cookie.split(".");
      const unsigned = `${cookie}=${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
      expectRefusal(await service.call(path, { headers: { cookie: unsigned } }), "not_signed_in");
      expectRefusal(await service.call(path, { headers: { cookie: `${ada.cookie}x` } }), "not_signed_in");
      expectRefusal(await service.call(path, { key: secret }), "not_signed_in");
    },
  );
});

describe("signing out", () => {
  test("ends the session in core, not only the cookie", async () => {
    const here = await signInAs(service, "joan@example.com");
    const { status, headers } = await sendForm(here, "/sign-out");
    expect(status).toBe(303);
    expect(headers.get("location")).toBe("/");
    expect(headers.get("set-cookie")).toBe("atelier_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    expectRefusal(await here.call("/account/api/me"), "not_signed_in");
  });
});

test("a key neither lists nor ends its owner's sessions", async () => {
  const { secret } = await makeKey(service, ada);
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

test("changes are rate limited for each account", async () => {
  const strict = await service.openEdge({ ATELIER_RATE_LIMITS: "on", ATELIER_RATE_ACCOUNT: "2" });
  const upload = (browser: Browser) => browser.call(UPLOADS, { method: "POST", body: "x" }, strict);
  expect((await upload(ada)).body).toMatchObject({ code: "unsupported_input" });
  expect((await upload(ada)).body).toMatchObject({ code: "unsupported_input" });
  expect((await upload(ada)).body).toMatchObject({ code: "rate_limited" });
  expect((await upload(eve)).body).toMatchObject({ code: "unsupported_input" });
});

test("no test of this file logged a bug", () => {
  expect(service.errors).toEqual([]);
});

// The webhooks page: the delivery log and the form for a test event, by plain requests.
test("[DLV-02] a person sends a test event on the webhooks page, and sees its delivery there", async () => {
  expect((await ada.call("/account/callbacks")).text).toContain("Nothing was delivered yet.");
  const [good, bad] = [await receiver(), await receiver(answerWith(500))];
  const sent = await sendForm(ada, "/account/callbacks/test", { callback_url: good.url });
  expect([sent.status, good.received.length]).toEqual([200, 1]);
  expect(sent.text).toMatch(/The endpoint accepted it.*Status 204 in \d+ ms/s);
  const failed = await sendForm(ada, "/account/callbacks/test", { callback_url: bad.url });
  expect(failed.text).toMatch(/It was not delivered.*Status 500 in \d+ ms/s);
  const { text } = await ada.call("/account/callbacks?status=failed");
  expect(text).toContain(bad.url);
  expect(text).not.toContain(`<code>${good.url}`);
  expect(text).toMatch(/studio[^"]*\.css.*<form class="filters" method="get" action="\/account\/callbacks"/s);
});

test("a refused or invalid URL is reported at the form", async () => {
  const refused = await sendForm(ada, "/account/callbacks/test", { callback_url: "https://10.0.0.1/" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("is not an address on the public internet");
  expect(refused.text).toContain('value="https://10.0.0.1/"');
  expect((await sendForm(ada, "/account/callbacks/test", { callback_url: "nowhere" })).status).toBe(400);
});

test("[EVT-02] an endpoint is added, tried, renewed and removed on the page; its secret is shown once", async () => {
  const { url, received } = await receiver();
  const post = (path: string, fields: Record<string, string> = {}) => sendForm(ada, path, fields);
  const refused = await post("/account/callbacks/endpoints", { url: "https://10.0.0.1/", events: "job.*" });
  expect([refused.status, refused.text.includes('value="https://10.0.0.1/"')]).toEqual([422, true]);
  const none = await post("/account/callbacks/endpoints", { url });
  expect(none.text).toMatch(/aria-describedby="events-error".*id="events-error">Choose at least one\./s);
  const added = await post("/account/callbacks/endpoints", { url, events: "order.*" });
  const [secret = "none"] = /whsec_[\w+/=]+/.exec(added.text) ?? [];
  expect(added.status).toBe(201);
  const { text } = await ada.call("/account/callbacks");
  expect([text.includes(url), text.includes(secret)]).toEqual([true, false]);
  const offered = [...text.matchAll(/name="events" value="(\w+)\./g)].map(([, kind]) => kind);
  expect(offered, "the events of each kind stand together").toEqual(
    [...new Set(offered)].flatMap((kind) => offered.filter((other) => other === kind)),
  );
  const [path = "none"] = /\/account\/callbacks\/endpoints\/whe_\w+/.exec(text) ?? [];
  expect((await post(`${path}/test`)).text).toContain("The endpoint accepted it");
  const [message] = received;
  expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
    event: "test",
  });
  expect((await post(`${path}/rotate`)).text).toMatch(/whsec_/);
  expect((await post(`${path}/remove`)).status).toBe(303);
  expect((await ada.call("/account/callbacks")).text).not.toContain(path);
  expect((await post(`${path}/enable`)).status).toBe(404);
});
