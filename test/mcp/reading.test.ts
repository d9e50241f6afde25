// Resources, skills, prompts and completion on the three endpoints, in both eras.
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadGuideChapters } from "../../edge/guide.ts";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import { sharedByTests } from "../support/shared.ts";
import { MODEL } from "./core-in-memory.ts";
import type { Reply } from "./endpoint-server.ts";
import { connectClient, MCP_CLIENTS } from "./mcp-clients.ts";
import { PRODUCT, startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, INITIALIZE, request } from "./messages.ts";
import { type EndpointName, TOOLSETS } from "./tool-cases.ts";

const PROMPTS = ["poster", "product_clip", "narrated_gallery"];
const CHAPTERS = loadGuideChapters({
  baseUrl: "http://atelier.test",
  generationBaseUrl: "http://generate.atelier.test",
}).map(({ slug }) => `atelier://docs/${slug}`);
const MAKING = ["make-a-picture", "animate-a-picture", "narrate-a-gallery"];
const SKILLS = {
  catalog: ["find-and-recommend-products"],
  generation: MAKING,
  member: [...MAKING, "find-and-recommend-products"],
};
const skillUris = (skills: readonly string[]) => skills.map((skill) => `skill://${skill}/SKILL.md`);
const READING = {
  resources: { listChanged: false, subscribe: false },
  completions: {},
};

/** URL and key of each endpoint. */
let at: Record<EndpointName, { url: string; key: string | undefined }>;
const endpoint = sharedByTests(() =>
  startMemberEndpoint({ ATELIER_RATE_LIMITS: "off", ATELIER_RATE_GENERATE: "17" }),
);
beforeAll(async () => {
  const { origin } = endpoint;
  at = {
    catalog: { url: `${origin}/mcp`, key: undefined },
    generation: { url: `${origin}/api/mcp`, key: endpoint.core.addKey() },
    member: { url: endpoint.url, key: endpoint.key },
  };
});
beforeEach(() => {
  endpoint.core.reset();
  endpoint.membership.plan_includes_api = true;
});

type Message = ReturnType<typeof request>;

/** The responses for an older and a current client. */
async function inBothEras(name: EndpointName, message: Message): Promise<[older: Reply, current: Reply]> {
  const post = endpoint.posts[name];
  const { body, headers } = asCurrent(message);
  return [await post(message), await post(body, headers)];
}

/** The result for an older client. */
async function ask<Result = Record<string, unknown>>(
  name: EndpointName,
  method: string,
  params?: object,
): Promise<Result> {
  const [{ json }] = await inBothEras(name, request(method, params));
  expect(json).toHaveProperty("result");
  return (json as { result: Result }).result;
}

async function textAt(name: EndpointName, uri: string): Promise<string> {
  const { contents } = await ask<{ contents: { text: string }[] }>(name, "resources/read", { uri });
  return contents[0]?.text ?? "";
}

describe.each([
  ["catalog", READING],
  ["generation", { ...READING, prompts: { listChanged: false } }],
  ["member", { ...READING, prompts: { listChanged: false } }],
] as const)("the %s endpoint", (name, expected) => {
  test("[MCP-31] declares exactly its capabilities", async () => {
    const hello = await endpoint.posts[name](INITIALIZE);
    expect(hello.json).toMatchObject({
      result: { capabilities: { tools: { listChanged: false }, ...expected } },
    });
    const [, discovered] = await inBothEras(name, request("server/discover"));
    for (const { json } of [hello, discovered]) {
      const { capabilities } = (json as { result: { capabilities: object } }).result;
      const { extensions: _, tools: __, ...reading } = capabilities as Record<string, unknown>;
      expect(reading).toEqual(expected);
    }
  });

  test.each(MCP_CLIENTS)("serves %s", async (_name, connect) => {
    const { url, key } = at[name];
    const client = await connect(url, key);
    const { reader } = client;
    const { resources } = await reader.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "atelier://models/canvas-one",
      ...CHAPTERS,
      ...skillUris(SKILLS[name]),
    ]);
    const { resourceTemplates } = await reader.listResourceTemplates();
    const templates = [
      "atelier://models/{slug}",
      "atelier://docs/{chapter}",
      "skill://{skill}/SKILL.md",
      "atelier://products/{slug}",
    ];
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      name === "generation" ? templates.slice(0, 3) : templates,
    );
    for (const uri of ["atelier://models/canvas-one", "atelier://docs/quickstart"])
      expect(await reader.readResource({ uri })).toMatchObject({ contents: [{ uri }] });
    const completed = await reader.complete({
      ref: { type: "ref/resource", uri: "atelier://docs/{chapter}" },
      argument: { name: "chapter", value: "QUICK" },
    });
    expect(completed.completion.values).toEqual(["quickstart"]);
    if (name !== "catalog") {
      expect((await reader.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(PROMPTS);
      expect(
        await reader.getPrompt({ name: "poster", arguments: { subject: "a lighthouse" } }),
      ).toMatchObject({
        messages: [
          { role: "user", content: { type: "text", text: expect.stringContaining("a lighthouse") } },
        ],
      });
    }
    await client.close();
  });

  test.each(["legacy", "auto"] as const)(
    "[MCP-32] serves skills that name only its own tools to the extension's host library, mode %s",
    async (mode) => {
      const { url, key } = at[name];
      const client = await connectClient(url, key, { versionNegotiation: { mode } });
      const host = new SkillsClient(client);
      expect(host.supported).toBe(true);
      const { skills } = await host.list();
      expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(SKILLS[name]);
      for (const listed of skills) {
        expect((await host.get(listed.uri)).skill).toEqual(listed);
        const { body = "", verified } = await host.read(listed);
        expect(verified).toBe(true);
        expect(toolsNamedIn(body).length).toBeGreaterThan(1);
        expect(toolsNamedIn(body).filter((tool) => !toolNames(TOOLSETS[name]).includes(tool))).toEqual([]);
      }
      await client.close();
    },
  );

  test("[MCP-31] returns the protocol's codes for unknown resources, in both eras", async () => {
    const refused: [string, object | undefined, number][] = [
      ["skills/list", { cursor: "x" }, -32_602],
      ["skills/get", {}, -32_602],
      ["skills/get", { uri: "skill://no-such/SKILL.md" }, -32_602],
      ["resources/read", { uri: "skill://no-such/SKILL.md" }, -32_602],
      ["resources/list", { cursor: "x" }, -32_602],
      ["resources/templates/list", { cursor: "NTA" }, -32_602],
      ["resources/read", {}, -32_602],
      ["resources/read", { uri: 5 }, -32_602],
      ["completion/complete", { ref: { type: "ref/other" }, argument: { name: "x", value: "" } }, -32_602],
      ["completion/complete", toComplete("atelier://nothing/{slug}", "slug", ""), -32_602],
      ["completion/complete", toComplete("atelier://docs/{chapter}", "page", ""), -32_602],
      [
        "completion/complete",
        { ref: { type: "ref/prompt", name: "nothing" }, argument: { name: "x", value: "" } },
        -32_602,
      ],
      ["resources/subscribe", { uri: "atelier://docs/quickstart" }, -32_601],
      ["logging/setLevel", { level: "debug" }, -32_601],
    ];
    for (const [method, params, code] of refused) {
      for (const { json, status } of await inBothEras(name, request(method, params))) {
        expect(json, `${method} ${JSON.stringify(params)}`).toMatchObject({ error: { code } });
        expect(status).toBeLessThan(500);
      }
    }
    for (const uri of [
      "atelier://docs/nothing",
      "atelier://models/",
      "atelier://docs/a/b",
      "atelier://docs/%ff",
      "other:x",
    ]) {
      for (const { json, status } of await inBothEras(name, request("resources/read", { uri }))) {
        expect(status).toBe(200);
        // Clients recognize the error by its data: the URI alone.
        expect(json).toMatchObject({ error: { code: -32_602, data: { uri } } });
        expect(Object.keys((json as { error: { data: object } }).error.data)).toEqual(["uri"]);
      }
    }
    expect(endpoint.errors).toEqual([]);
  });
});

function toComplete(uri: string, name: string, value: string): object {
  return { ref: { type: "ref/resource", uri }, argument: { name, value } };
}

describe("an MCP resource", () => {
  test("an MCP resource of a model has the data of list_models", async () => {
    const { structuredContent } = await ask<{ structuredContent: { models: object[] } }>(
      "member",
      "tools/call",
      {
        name: "list_models",
        arguments: { model: "canvas-one" },
      },
    );
    for (const name of ["catalog", "generation", "member"] as const)
      expect([JSON.parse(await textAt(name, "atelier://models/canvas-one"))]).toEqual(
        structuredContent.models,
      );
  });

  test("an MCP resource of a product is REST's product; it is completed, and not listed", async () => {
    for (const name of ["catalog", "member"] as const) {
      expect(JSON.parse(await textAt(name, `atelier://products/${PRODUCT.slug}`))).toEqual(PRODUCT);
      expect(
        await ask(name, "completion/complete", toComplete("atelier://products/{slug}", "slug", "harb")),
      ).toMatchObject({ completion: { values: [PRODUCT.slug], total: 1, hasMore: false } });
    }
    const [older] = await inBothEras(
      "catalog",
      request("resources/read", { uri: "atelier://products/gone" }),
    );
    expect(older.json).toMatchObject({ error: { code: -32_602, data: { uri: "atelier://products/gone" } } });
  });

  test("is read without an account where no key is needed", async () => {
    await textAt("catalog", "atelier://models/canvas-one");
    await textAt("catalog", `atelier://products/${PRODUCT.slug}`);
    const asked = endpoint.core.calls.map(({ method, options }) => `${method} ${options.caller?.kind}`);
    expect([...new Set(asked)]).toEqual(["models.ShowModels none", "catalog.GetProduct none"]);
  });

  test("an MCP resource of the docs is complete: generated parts, this installation's URLs, working links", async () => {
    const texts = new Map<string, string>();
    for (const uri of CHAPTERS) texts.set(uri, await textAt("catalog", uri));
    const all = [...texts.values()].join("\n");
    expect(all).not.toMatch(/<!-- made|atelier\.example|\]\([\w-]+\.md/);
    const links = [...all.matchAll(/\]\((atelier:[^)]*)\)/g)].map(([, uri]) => uri);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((uri) => !texts.has(uri ?? ""))).toEqual([]);
    for (const code of Object.keys(ERROR_TABLE))
      expect(texts.get("atelier://docs/errors")).toContain(`| \`${code}\` |`);
    expect(texts.get("atelier://docs/limits")).toContain("| Generate | 17 | each key |");
  });

  test("an MCP resource that core cannot return gets the usual error without internals", async () => {
    const uri = "atelier://models/canvas-one";
    endpoint.core.fail("models.ListModels", () => new AppError("service_unavailable"));
    for (const { json } of await inBothEras("generation", request("resources/read", { uri })))
      expect(json).toMatchObject({
        error: { code: ERROR_TABLE.service_unavailable.jsonRpc, data: { code: "service_unavailable" } },
      });
    endpoint.core.fail("models.ListModels", () => new Error("a secret of the inside"));
    for (const { json, text } of await inBothEras("generation", request("resources/list"))) {
      expect(json).toMatchObject({ error: { data: { code: "internal" } } });
      expect(text).not.toContain("secret");
    }
    expect(endpoint.errors.splice(0).filter((line) => line.includes("a secret of the inside")).length).toBe(
      2,
    );
  });
});

test("a long list is paged with each entry once, and an unknown cursor is refused", async () => {
  const many = Array.from({ length: 120 }, (_, i) => ({ ...MODEL, model_slug: `model-${i}` }));
  endpoint.core.say("models.ListModels", { models: many });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask<{ resources: { uri: string }[]; nextCursor?: string }>(
      "generation",
      "resources/list",
      {
        ...(cursor !== undefined && { cursor }),
      },
    );
    expect(page.resources.length).toBeLessThanOrEqual(50);
    seen.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([
    ...many.map(({ model_slug }) => `atelier://models/${model_slug}`),
    ...CHAPTERS,
    ...skillUris(MAKING),
  ]);

  const bad = ["", "x", "MA", "NQ", "-50", "50", "OTk5OTk5OTUw", "NTA=", "9".repeat(400)];
  for (const wrong of bad)
    for (const { json } of await inBothEras("generation", request("resources/list", { cursor: wrong })))
      expect(json, wrong).toMatchObject({ error: { code: -32_602, data: { code: "invalid_request" } } });

  expect(
    await ask("generation", "completion/complete", toComplete("atelier://models/{slug}", "slug", "model")),
  ).toMatchObject({ completion: { total: 120, hasMore: true, values: { length: 100 } } });
});

describe("an MCP prompt", () => {
  const get = (name: EndpointName, prompt: string, args: Record<string, string>) =>
    inBothEras(name, request("prompts/get", { name: prompt, arguments: args }));
  const messagesOf = ({ json }: Reply) =>
    (json as { result: { messages: { role: string; content: { type: string; text: string } }[] } }).result
      .messages;
  const FILLED = {
    poster: { subject: "a lighthouse", style: "woodcut", format: "square", model: "m-1", max_credits: "20" },
    product_clip: { product: "a blue cup", mood: "calm", seconds: "6", model: "m-1", max_credits: "20" },
    narrated_gallery: {
      topic: "tides",
      pictures: "4",
      audience: "children",
      model: "m-1",
      voice: "v-1",
      max_credits: "20",
    },
  };

  test.each(Object.entries(FILLED))(
    "%s includes the user's whole input, and names only existing tools",
    async (prompt, args) => {
      for (const name of ["generation", "member"] as const) {
        for (const reply of await get(name, prompt, args)) {
          const [message] = messagesOf(reply);
          for (const value of Object.values(args)) expect(message?.content.text).toContain(value);
          const tools = toolsNamedIn(message?.content.text ?? "");
          expect(tools).toEqual(expect.arrayContaining(["connect_generate", "list_models", "get_job"]));
          expect(tools.filter((tool) => !toolNames(TOOLSETS[name]).includes(tool))).toEqual([]);
        }
      }
    },
  );

  test("an MCP prompt without a budget tells the model to wait for the user's approval", async () => {
    const [reply] = await get("member", "poster", { subject: "a lighthouse" });
    expect(messagesOf(reply)[0]?.content.text).toMatch(/wait for their approval/);
  });

  test("treats empty fields of a form as absent", async () => {
    const [plain] = await get("member", "poster", { subject: "a lighthouse" });
    const [empty] = await get("member", "poster", {
      subject: " a lighthouse ",
      style: "",
      format: " ",
      model: "",
    });
    expect(messagesOf(empty)).toEqual(messagesOf(plain));
  });

  test.each([
    ["poster", "subject", {}],
    ["poster", "subject", { subject: "  " }],
    ["poster", "size", { subject: "x", size: "A4" }],
    ["poster", "format", { subject: "x", format: "round" }],
    ["poster", "subject", { subject: "x".repeat(2001) }],
    ["product_clip", "seconds", { product: "a cup", seconds: "11" }],
    ["product_clip", "max_credits", { product: "a cup", max_credits: "0" }],
    ["narrated_gallery", "pictures", { topic: "tides", pictures: "9" }],
  ])("%s with a wrong %s is -32602, and names it", async (prompt, path, args) => {
    for (const { json, status } of await get("generation", prompt, args)) {
      expect(status).toBe(200);
      expect(json).toMatchObject({
        error: { code: -32_602, data: { code: "invalid_request", issues: [{ path }] } },
      });
    }
  });

  test("an MCP prompt that is unknown, or has an invalid cursor, is -32602", async () => {
    for (const message of [
      request("prompts/get", { name: "no_such" }),
      request("prompts/get", { name: "poster", arguments: { subject: 5 } }),
      request("prompts/list", { cursor: "x" }),
    ])
      for (const { json } of await inBothEras("generation", message))
        expect(json).toMatchObject({ error: { code: -32_602 } });
  });

  test("product_clip includes the product of its slug, and other words unchanged", async () => {
    for (const name of ["generation", "member"] as const) {
      const [known] = await get(name, "product_clip", { product: PRODUCT.slug });
      expect(messagesOf(known)).toMatchObject([
        { content: { text: expect.stringContaining("described below") } },
        { content: { type: "resource", resource: { uri: `atelier://products/${PRODUCT.slug}` } } },
      ]);
      for (const product of ["a blue cup", "not-a-product"]) {
        const [other] = await get(name, "product_clip", { product });
        expect(messagesOf(other)).toMatchObject([{ content: { text: expect.stringContaining(product) } }]);
      }
    }
  });

  test("is completed from live models, products, styles and numbers", async () => {
    const complete = async (prompt: string, argument: string, value: string) =>
      (
        await ask<{ completion: { values: string[] } }>("generation", "completion/complete", {
          ref: { type: "ref/prompt", name: prompt },
          argument: { name: argument, value },
        })
      ).completion.values;
    expect(await complete("poster", "model", "canvas")).toEqual(["canvas-one"]);
    expect(await complete("product_clip", "model", "")).toEqual([]);
    expect(await complete("product_clip", "product", "harbour-i")).toEqual([PRODUCT.slug]);
    expect(await complete("poster", "style", "WATER")).toEqual(["watercolour"]);
    expect(await complete("poster", "format", "")).toEqual(["portrait", "landscape", "square"]);
    expect(await complete("narrated_gallery", "pictures", "5")).toEqual(["5"]);
    expect(await complete("poster", "subject", "a")).toEqual([]);
    const [unknown] = await inBothEras(
      "generation",
      request("completion/complete", {
        ref: { type: "ref/prompt", name: "poster" },
        argument: { name: "size", value: "" },
      }),
    );
    expect(unknown.json).toMatchObject({ error: { code: -32_602 } });
  });

  test("is offered to a member only while the plan includes the API", async () => {
    endpoint.membership.plan_includes_api = false;
    const hello = await endpoint.post(INITIALIZE);
    expect((hello.json as { result: { capabilities: object } }).result.capabilities).toEqual({
      tools: { listChanged: false },
      extensions: { "io.modelcontextprotocol/skills": {} },
      ...READING,
    });
    for (const { json } of await inBothEras("member", request("prompts/list")))
      expect(json).toMatchObject({ error: { code: -32_601 } });
  });
});

/** The tools of any endpoint that a text names. */
function toolsNamedIn(text: string): string[] {
  const words = new Set(text.match(/\b[a-z]+_[a-z]+\b/g));
  return [...new Set(Object.values(TOOLSETS).flatMap(toolNames))].filter((tool) => words.has(tool));
}

function toolNames({ listing }: typeof TOOLSETS.member): string[] {
  return listing.tools.map(({ name }) => name);
}
