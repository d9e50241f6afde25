// An agent on the whole service, with the protocol's own client: discovery, generation, charges, missing credits and repeats.
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, test } from "vitest";
import { listKeys } from "../../core/identity/accounts/list-keys.ts";
import { revokeKey } from "../../core/identity/accounts/revoke-key.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { connectClient } from "../mcp/mcp-clients.ts";
import { asCurrent, request, TASKS } from "../mcp/messages.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { sharedByTests } from "../support/shared.ts";

const PROMPT_HELD = "take your time";
const PRICE = 10;
const CREDITS = 30;

let account: { accountId: string; key: string };
let agent: Client;
/** Ends the jobs whose prompt is PROMPT_HELD. */
let held: PromiseWithResolvers<void>;
const provider = createScriptedProvider({
  answer: async ({ prompt }) => {
    if (prompt === PROMPT_HELD) await held.promise;
    return [SMALL_OUTPUT];
  },
});
const service = sharedByTests(() => startWholeService({ provider }));
beforeEach(async () => {
  held = Promise.withResolvers();
  account = await createCustomer(service.app, { credits: CREDITS });
  agent = await connectClient(`${service.url}/api/mcp`, account.key);
});

type Called = { failed: boolean; text: string; data: Record<string, unknown>; links: string[] };

async function use(name: string, args: Record<string, unknown> = {}, timeout?: number): Promise<Called> {
  const result = await agent.callTool({ name, arguments: args }, timeout ? { timeout } : undefined);
  const content = result.content as { type: string; text?: string; uri?: string }[];
  return {
    failed: result.isError === true,
    text: content.flatMap(({ text }) => text ?? []).join("\n"),
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
    links: content.flatMap(({ uri }) => uri ?? []),
  };
}

const kindsOf = ({ data }: Called) => (data["entries"] as { kind: string }[]).map(({ kind }) => kind);

test("an agent discovers tools and models, makes a picture, fetches the file and finds its charge", async () => {
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toContain("connect_generate");

  const { data } = await use("list_models", { modality: "image" });
  const [model] = data["models"] as { model_slug: string; credits: number }[];
  expect(model).toMatchObject({ model_slug: "picture", credits: PRICE });

  const args = { modality: "image", model_slug: model?.model_slug, prompt: "a lighthouse" };
  const made = await use("connect_generate", args);
  expect(made.text).toContain("Next: call get_job");
  const { job_id } = made.data;
  const ended = await use("get_job", { job_id, wait_seconds: 20 });
  expect(ended.data).toMatchObject({ state: "completed", credits_charged: PRICE });

  const [output] = ended.data["outputs"] as { url: string; sha256: string }[];
  expect(ended.links).toEqual([output?.url]);
  const file = await fetch(output?.url ?? "");
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(bytes).toEqual(SMALL_OUTPUT.bytes);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(output?.sha256);

  expect(kindsOf(await use("list_ledger", { job_id }))).toEqual(["debit", "reserve"]);
  expect((await use("get_credits")).data).toMatchObject({ available: CREDITS - PRICE, held: 0 });
});

test("an agent without credits gets the reason, is granted more, and continues", async () => {
  const args = { modality: "image", model_slug: "picture", prompt: "a lighthouse", wait_seconds: 20 };
  for (let left = CREDITS; left >= PRICE; left -= PRICE)
    expect((await use("connect_generate", args)).data).toMatchObject({ state: "completed" });
  const refused = await use("connect_generate", args);
  expect(refused.failed).toBe(true);
  expect(refused.text).toContain(`Credits needed: ${PRICE}. Credits available: 0.`);
  expect(refused.text).toContain("get_credits shows the balance");

  const { accountId } = account;
  const grant = { accountId, amount: PRICE, kind: "grant", memo: "more", source: "system" } as const;
  await grantCredits(service.app, grant);
  expect((await use("get_credits")).data).toMatchObject({ available: PRICE });
  expect((await use("connect_generate", args)).data).toMatchObject({ state: "completed" });
  expect(kindsOf(await use("list_ledger", { limit: 3 }))).toEqual(["debit", "reserve", "grant"]);
});

test("an agent that times out and repeats its idempotency_key gets one job and one debit", async () => {
  const before = provider.calls.length;
  const args = {
    modality: "image",
    model_slug: "picture",
    prompt: PROMPT_HELD,
    idempotency_key: "story-1",
    wait_seconds: 20,
  };
  const given = use("connect_generate", args, 500);
  await expect(given).rejects.toThrow(/timed out/i);
  await waitFor("the provider's call", () => provider.calls.length > before);
  held.resolve();
  const again = await use("connect_generate", args);
  expect(again.data).toMatchObject({ state: "completed", replayed: true });
  expect(provider.calls.length).toBe(before + 1);
  expect((await use("list_jobs")).data["jobs"]).toEqual([
    expect.objectContaining({ job_id: again.data["job_id"], state: "completed" }),
  ]);
  expect(kindsOf(await use("list_ledger", { kind: "debit" }))).toEqual(["debit"]);
});

describe("between two calls of one connection", () => {
  test("an agent's plan loses the API and gets it back: each call uses the current plan", async () => {
    expect((await use("get_credits")).failed).toBe(false);
    await setPlan(service.app, account.accountId, "starter");
    await expect(use("get_credits")).rejects.toThrow(/plan does not include/);
    await setPlan(service.app, account.accountId, "pro");
    expect((await use("get_credits")).failed).toBe(false);
  });

  test("an agent's key is revoked: the next call is refused, on another instance too", async () => {
    const other = await service.openEdge({});
    expect((await use("get_credits")).failed).toBe(false);
    expect((await other.rpc(account.key, request("tools/list"))).status).toBe(200);
    const [key] = await listKeys(service.app, account.accountId);
    await revokeKey(service.app, account.accountId, key?.key_id ?? "");
    await expect(use("get_credits")).rejects.toThrow(/key is not valid|401/);
    for (const method of ["initialize", "ping", "tools/list", "server/discover"]) {
      const { status, headers } = await other.rpc(account.key, request(method));
      expect([status, headers.get("www-authenticate")], method).toEqual([401, 'Bearer realm="atelier"']);
    }
  });
});

describe("a task", () => {
  async function send(key: string, method: string, params: object) {
    const answer = await service.call<{ result?: Record<string, unknown>; error?: { code: number } }>(
      "/api/mcp",
      { key, method: "POST", ...asCurrent(request(method, params), TASKS) },
    );
    return answer.body;
  }

  test("leads to the same result, and is visible to its owner only", async () => {
    const call = {
      name: "connect_generate",
      arguments: { modality: "image", model_slug: "picture", prompt: PROMPT_HELD },
    };
    const { result } = await send(account.key, "tools/call", call);
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    const taskId = String(result?.["taskId"]);
    const stranger = await createCustomer(service.app);
    for (const method of ["tasks/get", "tasks/cancel"]) {
      expect((await send(stranger.key, method, { taskId })).error).toMatchObject({ code: -32602 });
    }
    held.resolve();
    const job = await service.waitForEnd(account.key, taskId);
    const { result: ended } = await send(account.key, "tasks/get", { taskId });
    expect(ended).toMatchObject({
      taskId,
      status: "completed",
      result: {
        structuredContent: {
          job_id: taskId,
          state: "completed",
          outputs: [{ url: job.outputs[0]?.url, sha256: job.outputs[0]?.sha256 }],
        },
      },
    });
  });
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
