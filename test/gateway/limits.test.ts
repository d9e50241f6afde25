import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createSessionCookies } from "../../gateway/site/session/session-cookie.ts";
import { AppError } from "../../proto/codes.ts";
import { generateApiKey, hashApiKey } from "../../runtime/keys/api-key.ts";
import { addressSubject } from "../../runtime/networks.ts";
import { type Gateway, IDENTITY, PERSON, serveGateway } from "./serve-gateway.ts";

let gateway: Gateway;
afterEach(() => gateway.close());

async function serve(env: Record<string, string> = {}): Promise<void> {
  gateway = await serveGateway({ ATELIER_RATE_LIMITS: "on", ...env });
  gateway.answer("jobs.ListJobs", () => ({ jobs: [], next_cursor: "" }));
  gateway.answer("models.ListPlans", () => ({ plans: [] }));
  gateway.admit();
}

async function from(forwarded: string): Promise<number> {
  return (await fetch(`${gateway.url}/api/plans`, { headers: { "x-forwarded-for": forwarded } })).status;
}

const REMAINING = /^"api";r=(\d+);t=(\d+)$/;

describe("the rate limit of a key", () => {
  test("[ERR-19] is in every response, and refuses with the wait in words and seconds", async () => {
    await serve({ ATELIER_RATE_API: "2" });
    for (const left of ["1", "0"]) {
      const response = await gateway.call("/api/jobs");
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit-policy")).toBe('"api";q=2;w=60');
      expect(REMAINING.exec(response.headers.get("ratelimit") ?? "")?.[1]).toBe(left);
    }
    const refused = await gateway.call("/api/jobs");
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
    expect(refused.headers.get("ratelimit")).toBe(`"api";r=0;t=${wait}`);
    expect(await refused.json()).toEqual({
      ok: false,
      error: `The limit of 2 requests a minute for each key is used up. Try again in ${wait} seconds.`,
      code: "rate_limited",
      message: `The limit of 2 requests a minute for each key is used up. Try again in ${wait} seconds.`,
      hint: "Wait for the seconds in Retry-After, then try again.",
      docs: "/docs/errors#rate_limited",
      request_id: refused.headers.get("x-request-id"),
      retry_after_seconds: wait,
    });
    // A new key is looked up once; then each request is one call.
    const methods = gateway.calls.map(({ method }) => method);
    expect(methods).toEqual(["accounts.Authenticate", "jobs.ListJobs", "jobs.ListJobs"]);
  });

  test("[LIM-02] is separate for each key, and for generating", async () => {
    await serve({ ATELIER_RATE_API: "1", ATELIER_RATE_GENERATE: "1" });
    expect((await gateway.call("/api/jobs")).status).toBe(200);
    expect((await gateway.call("/api/jobs")).status).toBe(429);
    expect(
      (await gateway.call("/api/jobs", { headers: { authorization: `Bearer ${generateApiKey("gen")}` } }))
        .status,
    ).toBe(200);
    const generate = () => gateway.call("/api/v1/connect/generate", { method: "POST" });
    expect((await generate()).status).toBe(400);
    const refused = await generate();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe('"generate";q=1;w=60');
  });
});

describe("the rate limit of an address", () => {
  test("applies to routes without a key", async () => {
    await serve({ ATELIER_RATE_CATALOG: "1" });
    expect((await fetch(`${gateway.url}/api/plans`)).status).toBe(200);
    const refused = await fetch(`${gateway.url}/api/plans`);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      message: expect.stringContaining("1 requests a minute for each address"),
    });
  });

  describe("[LIM-02] for invalid keys", () => {
    const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
    const stranger = () => gateway.call("/api/jobs", bearer(generateApiKey("gen")));

    /** Core knows only the gateway's own key. */
    async function serveOneKey(quota: string): Promise<void> {
      await serve({ ATELIER_RATE_FAILED_KEYS: quota });
      const known = hashApiKey(gateway.key);
      gateway.answer("accounts.Authenticate", (_request, { caller }) => {
        if (caller?.kind !== "key" || caller.keySha256 !== known) throw new AppError("invalid_key");
        return IDENTITY;
      });
    }

    test("[LIM-40] does not count missing and malformed keys, nor keys of another kind", async () => {
      await serveOneKey("2");
      for (let i = 0; i < 5; i++) {
        expect((await fetch(`${gateway.url}/api/jobs`)).status).toBe(401);
        expect((await gateway.call("/api/jobs", bearer("typo"))).status).toBe(401);
        expect((await gateway.call("/api/jobs", bearer(generateApiKey("mem")))).status).toBe(401);
      }
      expect((await stranger()).status).toBe(401);
    });

    test("[LIM-40] spares a recently valid key, and looks each unknown one up once above the limit", async () => {
      await serveOneKey("3");
      expect((await gateway.call("/api/jobs")).status).toBe(200);
      for (let i = 0; i < 3; i++) expect((await stranger()).status).toBe(401);
      gateway.calls.length = 0;
      const unknown = bearer(generateApiKey("gen"));
      for (let i = 0; i < 5; i++) {
        const refused = await gateway.call("/api/jobs", unknown);
        expect(refused.status).toBe(429);
        expect(refused.headers.get("ratelimit-policy")).toBe('"failedKeys";q=3;w=60');
      }
      expect(gateway.calls).toHaveLength(1);
      expect((await gateway.call("/api/jobs")).status).toBe(200);
      expect((await fetch(`${gateway.url}/api/plans`)).status).toBe(200);
    });

    test("[LIM-40] admits a valid key that is new, whatever others at its address have sent", async () => {
      await serveOneKey("3");
      const others = await Promise.all(Array.from({ length: 30 }, stranger));
      expect(others.filter(({ status }) => status === 401)).toHaveLength(3);
      expect(others.filter(({ status }) => status === 429)).toHaveLength(27);
      expect((await gateway.call("/api/jobs")).status).toBe(200);
    });

    test("[LIM-40] does not count keys from browsers' pages, and admits a valid key next to them", async () => {
      await serveOneKey("3");
      const fromPage = () =>
        gateway.call("/api/jobs", {
          headers: { ...bearer(generateApiKey("gen")).headers, origin: "https://elsewhere.example" },
        });
      for (let i = 0; i < 10; i++) expect((await fromPage()).status).toBe(401);
      expect((await stranger()).status).toBe(401);
    });

    test("[LIM-40] counts a burst with one new key once, and returns it", async () => {
      await serveOneKey("1");
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async () => (await gateway.call("/api/jobs")).status),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await stranger()).status).toBe(401);
    });

    test("[LIM-40] stops sparing a key once core refuses it", async () => {
      await serveOneKey("1");
      expect((await gateway.call("/api/jobs")).status).toBe(200);
      for (const method of ["jobs.ListJobs", "accounts.Authenticate"] as const)
        gateway.fail(method, () => new AppError("invalid_key"));
      expect((await gateway.call("/api/jobs")).status).toBe(401);
      expect((await gateway.call("/api/jobs")).status).toBe(429);
    });
  });

  test("uses the trusted proxy's address, not the client's header", async () => {
    await serve({ ATELIER_RATE_CATALOG: "1", ATELIER_TRUST_PROXY: "1" });
    expect(await from("192.0.2.1")).toBe(200);
    expect(await from("203.0.113.9, 192.0.2.1")).toBe(429);
    expect(await from("192.0.2.2")).toBe(200);
  });

  test("ignores the header where no proxy is trusted", async () => {
    await serve({ ATELIER_RATE_CATALOG: "1" });
    expect(await from("192.0.2.1")).toBe(200);
    expect(await from("192.0.2.2")).toBe(429);
  });

  test("counts an IPv6 network of one customer as one", () => {
    expect(addressSubject("2001:db8:1:2::1")).toBe(addressSubject("2001:db8:1:2:ffff::9"));
    expect(addressSubject("2001:db8:1:2::1")).not.toBe(addressSubject("2001:db8:1:3::1"));
    expect(addressSubject("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(addressSubject("not an address")).toBe("not an address");
  });
});

test("[LIM-41] refused sign-ins and forms are counted in the metrics", async () => {
  await serve({ ATELIER_RATE_SIGN_IN: "1", ATELIER_RATE_ACCOUNT: "1" });
  gateway.fail("sessions.SignIn", () => new AppError("invalid_link"));
  gateway.answer("sessions.CheckSession", () => PERSON);
  gateway.fail("sessions.RevokeSession", () => new AppError("not_found"));
  const cookies = createSessionCookies(["a secret that only tests know, long enough"], true, 30);
  const [cookie = ""] = (await cookies.issue({ accountId: "acc_1", sessionId: "ses_1" })).split(";");
  const form = (path: string, fields: Record<string, string>) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { cookie, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams(fields),
    });
  const token = "A".repeat(43);
  const csrf_token = cookies.csrfToken("ses_1");
  expect((await form("/sign-in/confirm", { token, other_browser: "yes" })).status).toBe(400);
  expect((await form("/sign-in/confirm", { token, other_browser: "yes" })).status).toBe(429);
  expect((await form("/sign-out", { csrf_token })).status).toBe(404);
  expect((await form("/sign-out", { csrf_token })).status).toBe(429);
  const text = await gateway.metrics.registry.metrics();
  expect(text).toContain('atelier_rate_refusals_total{limit="signIn"} 1');
  expect(text).toContain('atelier_rate_refusals_total{limit="account"} 1');
});

test("[SHOP-30] payment events have a limit of their own, and are refused with the seconds to wait", async () => {
  await serve({ ATELIER_RATE_CATALOG: "1", ATELIER_RATE_PAYMENT_EVENTS: "2" });
  gateway.answer("orders.TakePaymentEvent", () => ({ outcome: "known" }));
  const event = () => fetch(`${gateway.url}/webhooks/payments/demo`, { method: "POST", body: "{}" });
  const plans = async () => (await fetch(`${gateway.url}/api/plans`)).status;
  // A busy reader at the same address does not affect them, nor they the reader.
  expect(await plans()).toBe(200);
  expect(await plans()).toBe(429);
  expect([(await event()).status, (await event()).status]).toEqual([200, 200]);
  const refused = await event();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("events of payment providers a minute for each address");
});

test("no header is sent when limits are off", async () => {
  await serve({ ATELIER_RATE_LIMITS: "off", ATELIER_RATE_API: "1" });
  for (let i = 0; i < 3; i++) {
    const response = await gateway.call("/api/jobs");
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit")).toBeNull();
  }
});

test("an unused connection does not delay the server's stop", async () => {
  await serve();
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // Answered after the connection above was accepted.
  expect((await fetch(`${gateway.url}/docs`)).status).toBe(200);
  await gateway.close();
  await closed;
});
