// Tools whose call of core checks the key: whatever takes the key's rights is the answer to the very next message, as it is where the key
// is checked before.
import { describe, expect, test } from "vitest";
import { revokeAnyKey, revokeMemberKey } from "../../core/identity/accounts/change-key.ts";
import { createMember } from "../core/shop/memberships/members.ts";
import { asCurrent, callTool, request } from "../mcp/messages.ts";
import { TOOL_CASES, TOOLSETS } from "../mcp/tool-cases.ts";
import { createCustomer } from "../support/app.ts";
import { PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

const service = sharedByTests(() =>
  startWholeService({ worker: false, env: { ATELIER_RATE_LIMITS: "off" } }),
);

type Holder = { accountId: string; key: string };
type Answer = { result?: { isError?: boolean }; error?: { data: { code: string; hint: string } } };

const admin = () => service.core.admin;

/** What an operator or the owner does, and what it leads to at each endpoint. */
const LOSSES: {
  what: string;
  lose: (of: Holder) => Promise<unknown>;
  code: Partial<Record<"generation" | "member", string>>;
}[] = [
  {
    what: "a revoked key",
    lose: async ({ accountId }) => {
      const keys = service.app.mongo.db.collection<{ key_id: string; kind: string }>("api_keys");
      for await (const { key_id, kind } of keys.find({ account_id: accountId }))
        await (kind === "mem" ? revokeMemberKey : revokeAnyKey)(service.app, key_id);
    },
    code: { generation: "invalid_key", member: "invalid_key" },
  },
  {
    what: "a suspended account",
    lose: ({ accountId: account }) => admin().SetAccountStatus({ account, status: "suspended" }),
    code: { generation: "account_suspended", member: "account_suspended" },
  },
  {
    what: "a plan without the API",
    lose: ({ accountId: account }) => admin().SetPlan({ account, plan: "free" }),
    code: { generation: "plan_excludes_api" },
  },
  {
    what: "an ended membership",
    lose: ({ accountId: account }) => admin().EndMembership({ account }),
    code: { member: "membership_inactive" },
  },
];

const PATHS = { generation: "/api/mcp", member: "/api/member/mcp" };
const CASES = (["generation", "member"] as const).flatMap((endpoint) =>
  TOOLSETS[endpoint].tools
    .filter(({ checksKey }) => checksKey)
    .flatMap(({ listing: { name } }) =>
      LOSSES.flatMap(({ what, lose, code }) => {
        const expected = code[endpoint];
        return expected === undefined ? [] : [{ endpoint, name, what, lose, expected }];
      }),
    ),
);

test("several tools of both endpoints check the key with their own call", () => {
  expect(new Set(CASES.map(({ endpoint, name }) => `${endpoint} ${name}`)).size).toBeGreaterThan(8);
});

describe("[MEM-07] [AUTH-03] a key loses its rights", () => {
  test.each(CASES)("$what: the next $name of the $endpoint endpoint", async (given) => {
    const { endpoint, name, lose, expected } = given;
    const holder = await newHolder(endpoint);
    const args = name === "get_job" ? { job_id: "job_none" } : (TOOL_CASES[name]?.args ?? {});
    const { body, headers } = asCurrent(
      callTool(name, name === "connect_generate" ? { ...PICTURE, model_slug: "picture" } : args),
    );
    const send = (message: unknown, more: Record<string, string> = {}) =>
      service.call<Answer>(PATHS[endpoint], {
        key: holder.key,
        method: "POST",
        body: message,
        headers: more,
      });

    for (let i = 0; i < 2; i++) {
      const before = await send(body, headers);
      expect([before.status, before.body.result?.isError ?? false]).toEqual([200, name === "get_job"]);
    }
    await lose(holder);
    const jobs = await jobsOf(holder);
    const [lost, listed] = [await send(body, headers), await send(request("tools/list"))];
    expect(lost.body.error?.data.code).toBe(expected);
    expect([lost.status, stable(lost.body)]).toEqual([listed.status, stable(listed.body)]);
    expect(await jobsOf(holder)).toBe(jobs);
  });

  test("a tool that leaves the list of a member is unknown to the next call", async () => {
    const holder = await newHolder("member");
    const { body, headers } = asCurrent(callTool("connect_generate", { ...PICTURE, model_slug: "picture" }));
    const send = () => service.call<Answer>(PATHS.member, { key: holder.key, method: "POST", body, headers });
    for (let i = 0; i < 2; i++) expect((await send()).body.result?.isError ?? false).toBe(false);
    await admin().SetPlan({ account: holder.accountId, plan: "free" });
    const refused = await send();
    expect([refused.status, refused.body.error?.data.code]).toEqual([200, "invalid_request"]);
    expect(refused.body.error?.data.hint).toContain("get_job");
    expect(refused.body.error?.data.hint).not.toContain("connect_generate");
    expect(await jobsOf(holder)).toBe(2);
    await admin().SetPlan({ account: holder.accountId, plan: "pro" });
    expect((await send()).body.result?.isError ?? false).toBe(false);
  });
});

async function newHolder(endpoint: "generation" | "member"): Promise<Holder> {
  if (endpoint === "member") return createMember(service, service.core);
  return createCustomer(service.app, { plan: "pro", credits: 1_000 });
}

async function jobsOf({ accountId }: Holder): Promise<number> {
  return service.app.mongo.db.collection("jobs").countDocuments({ account_id: accountId });
}

/** Without what differs between two messages. */
function stable(body: Answer): string {
  return JSON.stringify(body)
    .replaceAll(/req_\w+/g, "req")
    .replace(/"id":(?:null|\d+)/, '"id":0');
}
