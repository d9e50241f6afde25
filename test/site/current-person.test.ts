// How a public page finds out who is signed in.
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setAccountStatus } from "../../core/identity/sessions/set-account-status.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { currentPerson, keepSessions } from "../../gateway/site/session/current-person.ts";
import type { AppError } from "../../proto/codes.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { signInAs } from "./support/sign-in.ts";

let site: FastifyInstance;

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  site = Fastify();
  const { core, config } = service;
  const baseUrl = "http://localhost";
  const limits = createRateLimits(config, createMetrics());
  keepSessions(site, { core, config, limits, baseUrl, generationBaseUrl: baseUrl });
  // Twice, as a page and its navigation would.
  site.route({
    method: "GET",
    url: "/",
    handler: async (request) => [await currentPerson(request), await currentPerson(request)],
  });
});
afterAll(() => site.close());

const look = async (cookie: string, headers = {}): Promise<unknown> =>
  (await site.inject({ url: "/", headers: { cookie, ...headers } })).json();

test("a visitor has no current person, and the page is still served", async () => {
  expect(await look("")).toEqual([null, null]);
  expect(await look("atelier_session=nonsense; theme=dark")).toEqual([null, null]);
});

test("a signed-in person is read once per request", async () => {
  const ada = await signInAs(service, "ada@example.com");
  const person = {
    accountId: ada.accountId,
    sessionId: ada.sessionId,
    email: "ada@example.com",
    name: "ada",
    plan: "free",
    csrfToken: ada.csrfToken,
    fresh: true,
    issuedElsewhere: false,
    creditsAvailable: expect.any(Number),
    inboxUnread: 0,
    timeZone: "",
  };
  expect(await look(`theme=dark; ${ada.cookie}; a=b`)).toEqual([person, person]);
});

test("unread entries of the inbox are counted where a browser opens a page, and nowhere else", async () => {
  const { core } = service;
  const { accountId, cookie } = await signInAs(service, "iris@example.com");
  const call = { caller: { kind: "account", accountId, source: "app" } } as const;
  const { ticket_id } = await core.tickets.OpenTicket({ subject: "Why?", kind: "other", text: "Why?" }, call);
  await core.admin.ReplyToTicket({ ticket_id, text: "Because." });
  const counts = async (headers: object) => {
    const person = expect.objectContaining({ inboxUnread: "sec-fetch-dest" in headers ? 0 : 1 });
    expect(await look(cookie, headers)).toEqual([person, person]);
  };
  const accept = "text/html,*/*;q=0.8";
  await counts({ accept });
  await counts({ accept, "sec-fetch-dest": "empty" });
  const asProgram = expect.objectContaining({ inboxUnread: 0 });
  expect(await look(cookie, { accept: "application/json" })).toEqual([asProgram, asProgram]);
});

test("[LIM-24] someone above 600 reads a minute is told to wait; changes have their own limit", async () => {
  const { core, config } = service;
  const busy = Fastify();
  const limits = createRateLimits({ ...config, rateLimits: true, rateReadsPerMinute: 2 }, createMetrics());
  const baseUrl = "http://localhost";
  keepSessions(busy, { core, config, limits, baseUrl, generationBaseUrl: baseUrl });
  busy.route({
    method: ["GET", "POST"],
    url: "/",
    handler: async (request) => (await currentPerson(request))?.email ?? "nobody",
  });
  busy.setErrorHandler((error, _request, reply) => reply.code(429).send((error as AppError).code));
  const { cookie } = await signInAs(service, "busy@example.com");
  const ask = async (method: "GET" | "POST", headers = { cookie }): Promise<string> =>
    (await busy.inject({ method, url: "/", headers })).body;
  expect([await ask("POST"), await ask("GET"), await ask("GET"), await ask("POST")]).toEqual(
    Array(4).fill("busy@example.com"),
  );
  expect(await ask("GET")).toBe("rate_limited");
  expect(await ask("GET", { cookie: "" })).toBe("nobody");
  await busy.close();
});

test("a suspended person sees public pages as a visitor", async () => {
  const { cookie } = await signInAs(service, "eve@example.com");
  await setAccountStatus(service.app, "eve@example.com", "suspended");
  expect(await look(cookie)).toEqual([null, null]);
});
