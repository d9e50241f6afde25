// The member endpoint on the whole service: what a member's assistant gets, and how soon it is refused.
import { beforeAll, describe, expect, test } from "vitest";
import { MEMBER_TOOLSET } from "../../mcp/member/tools.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { licenceSchema } from "../../proto/resources/membership.ts";
import { fromCatalogPage } from "../../proto/resources/product.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { createMember, type Member } from "../core/shop/memberships/members.ts";
import { MCP_CLIENTS } from "../mcp/mcp-clients.ts";
import { callTool, request } from "../mcp/messages.ts";
import {
  type Answer,
  type CallInit,
  type HttpCalls,
  PICTURE,
  type ToolResult,
} from "../support/http-calls.ts";
import { startRole } from "../support/roles.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const PATH = "/api/member/mcp";
const SHARED_TOOLS = MEMBER_TOOLSET.listing.tools.map(({ name }) => name);

type RpcAnswer = {
  id: number | string | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: Record<string, unknown> };
};

let member: Member;

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  const { findings } = await importRows(service.core, [
    row("icons", { name: "Harbour Icons", category: "icons", tags: ["svg"], status: "featured" }),
    row("fonts", { name: "Slab Font", category: "fonts", tags: ["serif"], plus_only: true }),
    row("soon", { name: "Soon Kit", category: "kits", tags: ["ui"], status: "coming_soon" }),
    row("secret", { name: "Secret Lamp", category: "lamps", tags: ["glow"], status: "draft" }),
  ]);
  if (findings.length > 0) throw new Error(`the products do not fit: ${JSON.stringify(findings)}`);
  member = await createMember(service, service.core);
  await waitFor("the products", async () => (await listCatalog()).total === 3);
});

const post = (body: unknown, { at = service, ...init }: CallInit & { at?: HttpCalls } = {}) =>
  at.call<RpcAnswer>(PATH, { key: member.key, method: "POST", body, ...init });

async function tool(name: string, args: object = {}, key = member.key): Promise<ToolResult> {
  const { status, body } = await post(callTool(name, args), { key });
  expect(status).toBe(200);
  return body.result as unknown as ToolResult;
}

async function toolNames(key: string): Promise<string[]> {
  const { body } = await post(request("tools/list"), { key });
  const { tools } = body.result as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

async function listCatalog(query = ""): Promise<Record<string, unknown>> {
  return (await service.call(`/api/catalog${query}`)).body;
}

function refused({ status, body }: Answer<RpcAnswer>): [number, number | undefined, unknown] {
  return [status, body.error?.code, body.error?.data["code"]];
}

const LAPSED = [403, 1403, "membership_inactive"];
const BAD_KEY = [401, 1401, "invalid_key"];

const endMembership = ({ accountId }: Member) => service.core.admin.EndMembership({ account: accountId });
const revokeKey = ({ keyId }: Member) => service.core.admin.RevokeMemberKey({ key_id: keyId });

describe("a member's assistant", () => {
  test("[MEM-01] [MBS-07] sees ten tools, and connect_generate and run_workflow only while the plan includes the API", async () => {
    expect(await toolNames(member.key)).toEqual([...SHARED_TOOLS, "connect_generate", "run_workflow"]);
    const free = await createMember(service, service.core, { plan: "free" });
    expect(await toolNames(free.key)).toEqual(SHARED_TOOLS);
    const { status, body } = await post(callTool("connect_generate", PICTURE), { key: free.key });
    expect([status, body.error]).toMatchObject([
      200,
      { code: -32602, message: expect.stringContaining('There is no tool "connect_generate".') },
    ]);
    expect(await tool("list_jobs", {}, free.key)).toMatchObject({ structuredContent: { jobs: [] } });
    // The plan is read on every request, so both changes apply immediately.
    await service.core.admin.SetPlan({ account: free.accountId, plan: "pro" });
    expect(await toolNames(free.key)).toContain("connect_generate");
    await service.core.admin.SetPlan({ account: free.accountId, plan: "free" });
    expect(await toolNames(free.key)).not.toContain("connect_generate");
    for (const name of ["list_models", "get_credits", "list_ledger", "list_jobs", "get_membership"])
      expect(await tool(name, {}, free.key)).not.toHaveProperty("isError");
  });
});

describe("the member tools match the other surfaces", () => {
  test("[MEM-04] for the catalog, field by field with REST and gRPC", async () => {
    const cases: [object, string, object][] = [
      [{}, "?pageSize=8", { page_size: 8 }],
      [
        { search: "icon", tag: ["svg"], facets: ["tag", "category"] },
        "?search=icon&tag=svg&facets=category,tag&pageSize=8",
        { search: "icon", tags: ["svg"], facets: ["category", "tag"], page_size: 8 },
      ],
      [
        { status: ["coming_soon", "featured"], sort: "alphabetical", page_size: 1, page: 2 },
        "?status=featured,coming_soon&sort=alphabetical&pageSize=1&page=2",
        { statuses: ["featured", "coming_soon"], sort: "alphabetical", page_size: 1, page: 2 },
      ],
      [{ category: "boats" }, "?category=boats&pageSize=8", { category: "boats", page_size: 8 }],
    ];
    for (const [args, query, message] of cases) {
      const { data, catalogProducts: _alias, count: _legacy, ...page } = await listCatalog(query);
      const told = (await tool("search_catalog", args)).structuredContent;
      expect({ products: data, ...page }).toMatchObject(told as object);
      const {
        data: typed,
        catalogProducts: _same,
        count: _total,
        ...grpc
      } = fromCatalogPage(await service.core.catalog.ListProducts(message));
      expect({ products: typed, ...grpc }).toEqual({ products: data, ...page });
    }
    const { body } = await service.call<{ data: object }>("/api/catalog/icons");
    const product = (await tool("get_product", { slug: "icons" })).structuredContent;
    expect(body.data).toMatchObject({ ...product, slug: "icons" });
  });

  test("[MEM-04] for a price: it is the member's own, as on the page", async () => {
    const person = { kind: "account", accountId: member.accountId, source: "app" } as const;
    const onPage = { product_slug: "fonts" };
    const { quotes } = await service.core.orders.QuoteProduct(onPage, { caller: person });
    expect(quotes).toMatchObject([{ list_cents: 4900, cents: 3920, refusal: "" }]);
    const link = await tool("get_purchase_link", { slug: "fonts" });
    expect(link.structuredContent).toMatchObject({ price_usd: 39.2, purchasable: true });
    expect(await tool("get_purchase_link", { slug: "soon" })).toMatchObject({
      content: [{ text: expect.stringContaining("It is not for sale yet") }, {}],
      structuredContent: { price_usd: null, purchasable: false },
    });
  });
});

describe("a change between two calls of one connection, on another instance,", () => {
  let here: HttpCalls;
  let there: HttpCalls;
  beforeAll(async () => {
    here = await service.openEdge({});
    there = await service.openEdge({});
  });

  describe.each(MCP_CLIENTS)("[MEM-11] stops the next call of %s", (_name, connect) => {
    test.each([
      ["the membership ends", LAPSED, /membership|403/, endMembership],
      ["the key is revoked", BAD_KEY, /not valid|authoriz|401/i, revokeKey],
    ] as const)("after %s", async (_change, refusal, reason, change) => {
      const changed = await createMember(service, service.core);
      const client = await connect(here.url + PATH, changed.key);
      await client.toolNames();
      expect(await client.call("get_credits", {})).not.toHaveProperty("isError");
      expect((await post(request("ping"), { key: changed.key, at: there })).status).toBe(200);
      await change(changed);
      await expect(client.call("get_credits", {})).rejects.toThrow(reason);
      expect(refused(await post(request("ping"), { key: changed.key, at: there }))).toEqual(refusal);
      await client.close();
    });
  });

  test("[MEM-11] [MBS-02] applies when the instances use two cores", async () => {
    const { address } = await startRole(service, "core");
    const elsewhere = await service.openEdge({ ATELIER_CORE_ADDRESS: address });
    const ended = await createMember(service, service.core);
    const revoked = await createMember(service, service.core);
    for (const { key } of [ended, revoked])
      for (const at of [service, elsewhere])
        expect((await post(request("ping"), { key, at })).status).toBe(200);
    // The change goes through one core, the calls through the other.
    await endMembership(ended);
    await revokeKey(revoked);
    expect(refused(await post(request("ping"), { key: ended.key, at: elsewhere }))).toEqual(LAPSED);
    expect(refused(await post(request("ping"), { key: revoked.key, at: elsewhere }))).toEqual(BAD_KEY);
  });

  test("[MEM-11] [MBS-01] applies when a membership expires on its own", async () => {
    const { key, accountId } = await createMember(service, service.core);
    expect((await post(request("ping"), { key })).status).toBe(200);
    // Core refuses an end that has passed when the call arrives.
    const until = new Date(Date.now() + 4_000).toISOString();
    await service.core.admin.SetMembership({ account: accountId, tier: "plus", until });
    await waitFor("the end of the period", async () => (await post(request("ping"), { key })).status === 403);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
    expect(refused(await post(request("tools/list"), { key, at: there }))).toEqual(LAPSED);
  });

  test("[MEM-12] of a renewed membership opens the endpoint again with the same key and licences", async () => {
    const { accountId, key } = await createMember(service, service.core);
    const granted = await service.core.admin.GrantLicence({
      account: accountId,
      product_slug: "fonts",
      kind: "standard",
      source: "purchase",
    });
    const licences = async () => (await tool("list_licences", {}, key)).structuredContent?.["licences"];
    const before = await licences();
    expect([fromMessage(licenceSchema, granted)]).toMatchObject(before as object[]);
    await service.core.admin.EndMembership({ account: accountId });
    const lapsed = await post(callTool("list_licences"), { key });
    expect(refused(lapsed)).toEqual(LAPSED);
    expect(lapsed.body.error?.message).toMatch(
      /^The account's Plus membership ended on \S+Z\. Renew the membership on the website; the same key works again as soon as it is active\./,
    );
    // The endpoint is closed, but the licence stays: support and the website still show it.
    const kept = await service.core.admin.ListAccountLicences({ account: accountId, limit: 0, cursor: "" });
    expect(fromMessages(licenceSchema, kept.licences)).toEqual([fromMessage(licenceSchema, granted)]);
    const person = { caller: { kind: "account", accountId, source: "app" } } as const;
    const own = await service.core.memberships.ListLicences({ limit: 0, cursor: "" }, person);
    expect(fromMessages(licenceSchema, own.licences)).toEqual([fromMessage(licenceSchema, granted)]);
    await service.core.admin.SetMembership({
      account: accountId,
      tier: "plus",
      until: "2999-01-01T00:00:00Z",
    });
    expect(await licences()).toEqual(before);
  });
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
