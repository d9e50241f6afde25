// Approval above a key's threshold on every surface: in the chat where the client supports it, on the website otherwise.
import type { Client, ElicitResult } from "@modelcontextprotocol/client";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { revokeKey, revokeMemberKey } from "../../core/identity/accounts/change-key.ts";
import { provisionMemberKey } from "../../core/identity/accounts/create-key.ts";
import { answerApproval } from "../../core/identity/approvals/answer.ts";
import type { App } from "../../core/kernel/app.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { connectClient, MCP_CLIENTS, PINNED } from "../mcp/mcp-clients.ts";
import { asCurrent, callTool } from "../mcp/messages.ts";
import { sendForm } from "../site/support/forms.ts";
import { callOf, signInAs } from "../site/support/sign-in.ts";
import { makeKey } from "../support/app.ts";
import { giveCredits } from "../support/credits.ts";
import { PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

/** 40 credits; the keys here have a threshold of 20. */
const LARGE = { ...PICTURE, params: { count: 4 } };
const MCP = "/api/mcp";
const MEMBER_MCP = "/api/member/mcp";

let keys: { generation: string; member: string };
// No worker runs: held credits stay held.
const service = sharedByTests(() => startWholeService({ worker: false }));
const person = sharedByTests(() => signInAs(service, "ada@example.com"));
beforeAll(async () => {
  const { accountId } = person;
  const { admin } = service.core;
  await admin.SetPlan({ account: accountId, plan: "pro" });
  await admin.SetMembership({ account: accountId, tier: "plus", until: "2999-01-01T00:00:00Z" });
  await giveCredits(service.app, accountId, 10_000);
  const { secret } = await makeKey(service.app, accountId, { name: "agent", confirmAbove: 20 });
  const member = await admin.ProvisionMemberKey({ account: accountId, name: "assistant", confirm_above: 20 });
  keys = { generation: secret, member: member.secret };
});

let before: number;
beforeEach(async () => {
  before = await held();
});

async function held(): Promise<number> {
  const caller = { kind: "account", accountId: person.accountId, source: "app" } as const;
  return (await service.core.credits.GetBalance({}, { caller })).held;
}

const question = (body: object) => new URL(String((body as { confirm_url?: string }).confirm_url)).pathname;
const answer = (path: string, said: "yes" | "no") => sendForm(person, path, { answer: said });
let made = 0;
/** A prompt for each test, so that no other approval matches. */
const another = () => ({ ...LARGE, prompt: `lighthouse ${++made}` });

type Asked = { message: string; requestedSchema?: unknown };

/** A client of the current library whose user always gives this answer. */
async function chat(
  path: string,
  key: string,
  say: (asked: Asked) => ElicitResult,
): Promise<{ client: Client; asked: Asked[] }> {
  const asked: Asked[] = [];
  const options = { ...PINNED, capabilities: { elicitation: { form: {} } } };
  const client = await connectClient(service.url + path, key, options, (connecting) =>
    connecting.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params as Asked);
      return say(params as Asked);
    }),
  );
  return { client, asked };
}

const textOf = (result: { content?: unknown }) => (result.content as { text: string }[])[0]?.text ?? "";

describe("approval in the chat", () => {
  test.each([
    ["the generation endpoint", MCP, "generation"],
    ["the member endpoint", MEMBER_MCP, "member"],
  ] as const)(
    "[CNF-03] is requested through a client with forms, and then allows the request: %s",
    async (_name, path, which) => {
      const { client, asked } = await chat(path, keys[which], () => ({
        action: "accept",
        content: { confirm: true },
      }));
      const request = another();
      const result = await client.callTool({ name: "connect_generate", arguments: request });
      expect(result).toMatchObject({ structuredContent: { state: "reserved", credits_reserved: 40 } });
      expect(asked).toHaveLength(1);
      for (const word of ["40 credits", "picture", request.prompt]) expect(asked[0]?.message).toContain(word);
      expect(asked[0]?.requestedSchema).toMatchObject({ required: ["confirm"] });
      expect(await held()).toBe(before + 40);
      expect(await service.app.mongo.db.collection("mails").countDocuments({ kind: "key.approval" })).toBe(0);
      // No approval is needed up to the threshold.
      await client.callTool({ name: "connect_generate", arguments: PICTURE });
      expect(asked).toHaveLength(1);
      await client.close();
    },
  );

  test.each<[string, ElicitResult, string]>([
    ["no", { action: "accept", content: { confirm: false } }, "declined"],
    ["an empty form", { action: "accept", content: {} }, "declined"],
    ["a decline", { action: "decline" }, "declined"],
    ["a dismissed question", { action: "cancel" }, "without answering"],
  ])(
    "[CNF-03] approval in the chat that the user does not give spends nothing: %s",
    async (_what, said, words) => {
      const { client, asked } = await chat(MCP, keys.generation, () => said);
      const result = await client.callTool({ name: "connect_generate", arguments: another() });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(words);
      expect(textOf(result)).toContain("Code: confirmation_declined.");
      expect(asked).toHaveLength(1);
      expect(await held()).toBe(before);
      await client.close();
    },
  );

  test("approval in the chat that is sent twice, or for another request, is requested again", async () => {
    const send = async (args: object, more: object = {}) => {
      const call = callTool("connect_generate", args);
      const sent = { ...call, params: { ...call.params, ...more } };
      const { body, headers } = asCurrent(sent, { elicitation: {} });
      const init = { key: keys.generation, method: "POST", body, headers };
      return (await service.call<{ result: Record<string, unknown> }>(MCP, init)).body.result;
    };
    const request = another();
    const first = await send(request);
    expect(first).toMatchObject({
      resultType: "input_required",
      inputRequests: { confirmation: { method: "elicitation/create", params: { mode: "form" } } },
    });
    const yes = {
      inputResponses: { confirmation: { action: "accept", content: { confirm: true } } },
      requestState: first["requestState"],
    };
    expect(await send(another(), yes)).toMatchObject({ resultType: "input_required" });
    expect(await held()).toBe(before);
    expect(await send(request, yes)).toMatchObject({ structuredContent: { state: "reserved" } });
    expect(await send(request, yes)).toMatchObject({ resultType: "input_required" });
    expect(await send(request, { ...yes, requestState: "cnf_forged" })).toMatchObject({
      resultType: "input_required",
    });
    expect(await held()).toBe(before + 40);
  });

  test.each(MCP_CLIENTS)(
    "[CNF-03] %s, without forms, gets the URL of the approval page",
    async (_name, connect) => {
      const client = await connect(service.url + MCP, keys.generation);
      const request = another();
      const refused = await client.call("connect_generate", request);
      expect(refused.isError).toBe(true);
      const [url = ""] = /https?:\S+\/account\/confirm\/cnf_\w+/.exec(textOf(refused)) ?? [];
      expect(textOf(refused)).toContain("Code: confirmation_required.");
      await answer(new URL(url).pathname, "yes");
      expect(await client.call("connect_generate", request)).toMatchObject({
        structuredContent: { state: "reserved" },
      });
      await client.close();
    },
  );
});

describe("approval on the website", () => {
  test("[CNF-01] [CNF-07] shows the user the exact request, and starts it once", async () => {
    const request = { ...another(), callback_url: "https://example.com/hook" };
    const refused = await service.generate(keys.generation, request);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      ok: false,
      code: "confirmation_required",
      credits_required: 40,
      confirm_above: 20,
      confirmation_id: expect.stringMatching(/^cnf_/),
    });
    const path = question(refused.body);
    const page = await person.call(path);
    expect(page.status).toBe(200);
    for (const shown of ["agent", "40 credits", "picture", request.prompt, request.callback_url])
      expect(page.text).toContain(shown);
    expect((await answer(path, "yes")).headers.get("location")).toBe(path);
    const [job = ""] = /job_\w+/.exec((await person.call(path)).text) ?? [];
    expect(await held()).toBe(before + 40);
    const repeated = await service.generate(keys.generation, request);
    expect(repeated).toMatchObject({ status: 202, body: { result: { job_id: job } } });
    expect((await person.call(path)).text).toContain("It is being made.");
    // Too late to change.
    await answer(path, "no");
    expect((await person.call(path)).text).toContain("It is being made.");
    expect((await service.generate(keys.generation, request)).status).toBe(402);
    expect(await held()).toBe(before + 40);
  });

  test("names a retired model without a link, because it has no page", async () => {
    const path = question((await service.generate(keys.generation, another())).body);
    const models = service.app.mongo.db.collection<{ _id: string; status: string }>("models");
    const link = async () => (await person.call(path)).text.includes('href="/models/picture"');
    expect(await link()).toBe(true);
    await models.updateOne({ _id: "picture" }, { $set: { status: "retired" } });
    await waitFor("the link to be gone", async () => !(await link()));
    expect((await person.call(path)).text).toContain("Picture, not offered now");
    await models.updateOne({ _id: "picture" }, { $set: { status: "live" } });
    await waitFor("the link to be back", link);
  });

  test("[CNF-07] starts a workflow, which the program's repeat gets", async () => {
    const { prompt } = another();
    const step = { modality: "image", model_slug: "picture", prompt };
    const body = {
      steps: [
        { ...step, id: "a", params: { count: 4 } },
        { ...step, id: "b", after: ["a"] },
      ],
    };
    const ask = () =>
      service.call<{ result?: { workflow_id: string } }>("/api/v1/connect/workflows", {
        key: keys.generation,
        method: "POST",
        body,
      });
    const path = question((await ask()).body);
    const { text } = await person.call(path);
    expect(text).toContain("Your yes starts it.");
    expect(text).toContain('<a href="/models/picture">Picture</a>');
    await answer(path, "yes");
    const [workflow = ""] = /\/workflows\/wfl_\w+/.exec((await person.call(path)).text) ?? [];
    expect(await held()).toBe(before + 50);
    expect(`/workflows/${(await ask()).body.result?.workflow_id}`).toBe(workflow);
    expect(await held()).toBe(before + 50);
  });

  test("approval on the website that is declined is reported to the program, and can be given later", async () => {
    const request = another();
    const path = question((await service.generate(keys.generation, request)).body);
    await answer(path, "no");
    expect((await service.generate(keys.generation, request)).body).toMatchObject({
      code: "confirmation_declined",
    });
    expect((await person.call(path)).text).toContain("You said no.");
    await answer(path, "yes");
    expect((await service.generate(keys.generation, request)).status).toBe(202);
  });

  test("[CNF-06] can raise the key's threshold for an hour, which no key can do and its page can end", async () => {
    const [request, other] = [another(), another()];
    await service.generate(keys.generation, other);
    const path = question((await service.generate(keys.generation, request)).body);
    const confirmation_id = path.slice(path.lastIndexOf("/") + 1);
    const caller = { kind: "key", keySha256: hashApiKey(keys.generation), source: "api" } as const;
    const forged = service.core.accounts.AnswerConfirmation(
      { confirmation_id, yes: true, raise_to: 40 },
      { caller },
    );
    await expect(forged).rejects.toMatchObject({ code: "insufficient_scope" });
    const refused = await sendForm(person, path, { answer: "raise", raise_to: "41" });
    expect(refused.status).toBe(400);
    for (const shown of ["must be a whole number from 21 to 40", "Also waiting", other.prompt])
      expect(refused.text).toContain(shown);
    expect((await sendForm(person, path, { answer: "raise", raise_to: "40" })).status).toBe(303);
    expect((await person.call(path)).text).toContain("this key does not ask for jobs of up to 40 credits");

    expect((await service.generate(keys.generation, request)).status).toBe(202);
    expect((await service.generate(keys.generation, another())).status).toBe(202);
    const { client, asked } = await chat(MCP, keys.generation, () => ({ action: "decline" }));
    expect(await client.callTool({ name: "connect_generate", arguments: another() })).toMatchObject({
      structuredContent: { state: "reserved" },
    });
    expect(asked).toEqual([]);
    await client.close();
    expect(await service.tool(keys.generation, "get_credits")).toMatchObject({
      structuredContent: { key_confirm_above: 40 },
    });
    const me = await service.read<{ key: object }>("/api/me", keys.generation);
    expect(me.key).toMatchObject({ confirm_above: 20, confirm_raised: { above: 40 } });

    const { keys: all } = await service.core.accounts.ListKeys({}, callOf(person));
    const page = `/account/keys/${all.find(({ name }) => name === "agent")?.key_id}`;
    expect((await person.call(page)).text).toContain("Ask me again from now");
    expect((await sendForm(person, page, { ask_again: "1" })).status).toBe(303);
    expect((await person.call(page)).text).not.toContain("Ask me again from now");
    expect((await service.generate(keys.generation, another())).status).toBe(402);
  });

  test("needs the account's own session, and no key can give it", async () => {
    const request = another();
    const path = question((await service.generate(keys.generation, request)).body);
    const stranger = await signInAs(service, "bob@example.com");
    const closed = await stranger.call(path, { headers: { accept: "text/html" } });
    expect([closed.status, closed.text.includes("This request is not open any more")]).toEqual([404, true]);
    expect((await sendForm(stranger, path, { answer: "yes" })).status).toBe(404);
    expect((await sendForm(person, path, { answer: "yes", csrf_token: "" })).status).toBe(403);
    const headers = { accept: "text/html" };
    const byKey = { key: keys.generation, method: "POST", body: { answer: "yes" }, headers };
    expect((await service.call(path, byKey)).status).toBeGreaterThanOrEqual(300);
    expect((await service.generate(keys.generation, request)).status).toBe(402);
    // REST cannot approve either.
    const forged = { ...request, confirmation_id: path.slice(path.lastIndexOf("/") + 1) };
    expect((await service.generate(keys.generation, forged)).status).toBe(400);
  });

  test.each([
    ["generation key", makeKey, revokeKey, MCP],
    [
      "member key",
      provisionMemberKey,
      (app: App, _account: string, id: string) => revokeMemberKey(app, id),
      MEMBER_MCP,
    ],
  ])(
    "[CNF-07] says that nothing will start once the %s was revoked, and has no button for a yes",
    async (_what, make, revoke, endpoint) => {
      const wanted = { name: "short-lived", confirmAbove: 20, expiresAt: null };
      const { accountId } = person;
      const { secret, key } = await make(service.app, accountId, wanted);
      const client = await connectClient(service.url + endpoint, secret, PINNED);
      const ask = async () => {
        const [url = ""] =
          /https?:\S+\/account\/confirm\/cnf_\w+/.exec(
            textOf(await client.callTool({ name: "connect_generate", arguments: another() })),
          ) ?? [];
        return new URL(url).pathname;
      };
      const [path, other] = [await ask(), await ask()];
      await client.close();
      await answerApproval(
        service.app,
        { accountId, approvalId: other.slice(other.lastIndexOf("/") + 1) },
        true,
      );
      expect((await person.call(other)).text).toContain("Say yes again");
      await revoke(service.app, accountId, key.key_id);
      for (const each of [path, other]) {
        const { text } = await person.call(each);
        expect(text).toContain("The key was revoked or has expired.");
        expect(text).toContain("Nothing will start");
        expect(text).not.toMatch(/Say yes again|Yes, spend|You said yes/);
      }
    },
  );
});

test("says before the answer that the credits do not suffice", async () => {
  const poor = await signInAs(service, "poor@example.com");
  await service.core.admin.SetPlan({ account: poor.accountId, plan: "pro" });
  await giveCredits(service.app, poor.accountId, 40);
  const { secret } = await makeKey(service.app, poor.accountId, { name: "agent", confirmAbove: 20 });
  const path = question((await service.generate(secret, another())).body);
  const FEW = "You have fewer credits than it costs.";
  expect((await poor.call(path)).text).not.toContain(FEW);
  await service.generate(secret, PICTURE);
  expect((await poor.call(path)).text).toContain(FEW);
});

test("has its threshold on the pages that create and change keys", async () => {
  const newKey = { name: "site", scope: "write", confirm_above: "50" };
  expect((await sendForm(person, "/account/keys", newKey)).status).toBe(201);
  const { keys: all } = await service.core.accounts.ListKeys({}, callOf(person));
  const key = all.find(({ name }) => name === "site");
  expect(key).toMatchObject({ confirm_above: 50 });
  expect((await person.call("/account/keys")).text).toContain("asks you above 50 credits");
  const path = `/account/keys/${key?.key_id}`;
  const refused = await sendForm(person, path, { name: "site", confirm_above: "much" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("must be a whole number from 0");
  expect((await sendForm(person, path, { name: "site", confirm_above: "" })).status).toBe(303);
  const change = (fields: object) =>
    service.core.accounts.ChangeKey({ key_id: key?.key_id ?? "", ...fields }, callOf(person));
  expect((await change({})).confirm_above ?? null).toBeNull();
  expect((await change({ confirm_above: 0 })).confirm_above).toBe(0);
  expect((await change({ name: "again" })).confirm_above).toBe(0);
  expect((await change({ no_confirmation: true })).confirm_above ?? null).toBeNull();
});
