// Only support creates member keys: no HTTP route creates, lists or revokes one, nor does any call that a gateway may make for a person.
import type { ServiceDefinition } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provisionMemberKey } from "../../core/identity/accounts/create-key.ts";
import { setMembership } from "../../core/shop/memberships/change-membership.ts";
import type { Caller } from "../../proto/caller.ts";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { atelierV1 } from "../../proto/load.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { request } from "../mcp/messages.ts";
import { createCustomer } from "../support/app.ts";
import { type EveryRoute, serveEveryRoute } from "../support/every-route.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

let customer: { accountId: string; key: string };
let member: { key: string; keyId: string };
const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  const { app } = service;
  customer = await createCustomer(app, { plan: "studio", credits: 100_000 });
  await setMembership(app, customer.accountId, { tier: "plus", until: new Date("2999-01-01") });
  const { secret, key } = await provisionMemberKey(app, customer.accountId, { name: "x", expiresAt: null });
  member = { key: secret, keyId: key.key_id };
});

/** All fields that a request for such a key could have. */
const wish = () => ({
  account: customer.accountId,
  account_id: customer.accountId,
  name: "another",
  reason: "please",
  kind: "mem",
  scope: "write",
  key_id: member.keyId,
});

/** The existing member keys, and whether they still work. */
async function memberKeys(): Promise<unknown[]> {
  return service.app.mongo.db
    .collection("api_keys")
    .find({ kind: "mem" }, { projection: { _id: 0, key_id: 1, revoked_at: 1 } })
    .toArray();
}

/** The core of a test, which records its calls. */
function watched(core: CoreClient, asked: Set<string>): CoreClient {
  const { close: _close, ...slices } = core;
  const noted = Object.entries(slices).map(([slice, calls]) => [
    slice,
    new Proxy(calls, {
      get: (target, name, receiver) => {
        asked.add(`${slice}.${String(name)}`);
        return Reflect.get(target, name, receiver) as unknown;
      },
    }),
  ]);
  return { ...(Object.fromEntries(noted) as typeof slices), close: () => {} };
}

describe("[MBS-06] member keys over HTTP", () => {
  const asked = new Set<string>();
  let routes: { method: string; url: string }[];
  let server: EveryRoute["server"];
  beforeAll(async () => {
    const every = await serveEveryRoute(service, watched(service.core, asked));
    server = every.server;
    routes = every.routes.map(({ method, url }) => ({
      method,
      url: url.replace(/:\w+/g, member.keyId).replace("*", member.keyId),
    }));
  });
  afterAll(() => server.close());

  test("are neither created nor revoked by any route, and no route calls an operators' service", async () => {
    const before = await memberKeys();
    expect(before).toEqual([{ key_id: member.keyId, revoked_at: null }]);
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, url } of routes) {
      for (const key of [customer.key, member.key]) {
        const { statusCode } = await server.inject({
          method: method as "POST",
          url: `${url}?${new URLSearchParams(wish()).toString()}`,
          headers: { authorization: `Bearer ${key}` },
          ...(method !== "GET" && method !== "HEAD" && { payload: wish() }),
        });
        expect(statusCode, `${method} ${url}`).not.toBe(500);
      }
    }
    expect(await memberKeys()).toEqual(before);
    expect([...asked].filter((name) => /^(admin|catalogAdmin)\./.test(name))).toEqual([]);
    // This test's core was in use, so that a call would have been seen.
    expect([...asked]).toContain("memberships.Authenticate");
  });

  test("are absent from the OpenAPI document and the tools", async () => {
    const { body } = await service.call<{ paths: Record<string, Record<string, { operationId?: string }>> }>(
      "/openapi.json",
    );
    const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId = "" }) => `${path} ${operationId}`),
    );
    expect(operations.length).toBeGreaterThan(10);
    expect(operations.filter((operation) => /member.?key|provision/i.test(operation))).toEqual([]);
    for (const [path, key] of [
      ["/api/mcp", customer.key],
      ["/api/member/mcp", member.key],
    ] as const) {
      const answer = await service.call<{ result: { tools: { name: string }[] } }>(path, {
        key,
        method: "POST",
        body: request("tools/list"),
      });
      const names = answer.body.result.tools.map(({ name }) => name);
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((name) => /key|provision|revoke|set_|grant/.test(name))).toEqual([]);
    }
  });
});

describe("[MBS-06] member keys over gRPC", () => {
  test("are neither created nor revoked outside the operators' services, with a session or any key", async () => {
    const { core } = service;
    const before = await memberKeys();
    const callers: Caller[] = [
      { kind: "account", accountId: customer.accountId, source: "app" },
      { kind: "key", keySha256: hashApiKey(customer.key), source: "api" },
      { kind: "key", keySha256: hashApiKey(member.key), source: "member" },
    ];
    const slices: [ServiceDefinition, object][] = [
      [atelierV1.Accounts.service as unknown as ServiceDefinition, core.accounts],
      [atelierV1.Memberships.service as unknown as ServiceDefinition, core.memberships],
      [atelierV1.Callbacks.service as unknown as ServiceDefinition, core.callbacks],
      [atelierV1.Credits.service as unknown as ServiceDefinition, core.credits],
      [atelierV1.Jobs.service as unknown as ServiceDefinition, core.jobs],
      [atelierV1.Models.service as unknown as ServiceDefinition, core.models],
      [atelierV1.Sessions.service as unknown as ServiceDefinition, core.sessions],
    ];
    const answered = new Set<string>();
    for (const [definition, calls] of slices) {
      for (const [name, { requestStream, responseStream }] of Object.entries(definition)) {
        if (requestStream || responseStream) continue;
        const method = (calls as Record<string, (request: object, options: object) => Promise<unknown>>)[
          name
        ];
        for (const caller of callers) {
          try {
            await method?.(wish(), { caller });
            answered.add(name);
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
          }
        }
      }
    }
    expect(await memberKeys()).toEqual(before);
    // The person did get a generation key that way.
    expect([...answered]).toContain("CreateKey");
    const { keys } = await core.accounts.ListKeys({}, { caller: callers[0] ?? { kind: "none" } });
    expect(keys.map(({ masked }) => masked.slice(0, "atl_gen_".length))).toEqual(["atl_gen_", "atl_gen_"]);
  });
});
