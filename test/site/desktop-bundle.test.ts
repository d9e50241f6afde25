// The bundle for desktop assistants: its contents, and its bridge as a separate process against a running service.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createCustomer } from "../support/app.ts";
import { sharedByTests, useFolder } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

/** Version 0.3 of the published manifest for bundles with a Node server. Strict, like its own checker. */
const author = z.strictObject({ name: z.string(), email: z.email().optional(), url: z.url().optional() });
const server = z.strictObject({
  type: z.enum(["node", "python", "binary"]),
  entry_point: z.string(),
  mcp_config: z.strictObject({
    command: z.string(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
});
const userConfig = z.strictObject({
  type: z.enum(["string", "number", "boolean", "directory", "file"]),
  title: z.string(),
  description: z.string(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  multiple: z.boolean().optional(),
  default: z.unknown().optional(),
});
const manifestSchema = z.strictObject({
  manifest_version: z.literal("0.3"),
  name: z.string().regex(/^[a-z0-9-]+$/),
  display_name: z.string().optional(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string(),
  long_description: z.string().optional(),
  author,
  homepage: z.url().optional(),
  documentation: z.url().optional(),
  support: z.url().optional(),
  icon: z.string().optional(),
  server,
  tools: z.array(z.strictObject({ name: z.string(), description: z.string().optional() })).optional(),
  tools_generated: z.boolean().optional(),
  keywords: z.array(z.string()).optional(),
  license: z.string().optional(),
  compatibility: z
    .strictObject({
      platforms: z.array(z.enum(["darwin", "win32", "linux"])).optional(),
      runtimes: z.strictObject({ node: z.string().optional(), python: z.string().optional() }).optional(),
    })
    .optional(),
  user_config: z.record(z.string(), userConfig).optional(),
});

type Message = {
  id?: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

let key: string;
let files: Record<string, Uint8Array>;
const folder = useFolder();
let disposition: string | null;

const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  ({ key } = await createCustomer(service.app));
  const response = await fetch(`${service.url}/connect/atelier.mcpb`);
  disposition = response.headers.get("content-disposition");
  files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(folder(name)), { recursive: true });
    writeFileSync(folder(name), bytes);
  }
});

const manifest = () =>
  manifestSchema.parse(JSON.parse(strFromU8(files["manifest.json"] ?? new Uint8Array())));

test("the desktop bundle has a valid manifest, all its files, and a key in the assistant's secret storage", () => {
  expect(disposition).toBe('attachment; filename="atelier.mcpb"');
  const { server: run, icon, user_config, homepage } = manifest();
  for (const name of [run.entry_point, icon ?? ""]) expect(Object.keys(files)).toContain(name);
  expect(user_config?.["key"]).toMatchObject({ sensitive: true, required: true });
  expect(run.mcp_config.env).toEqual({
    ATELIER_KEY: "${user_config.key}",
    ATELIER_URL: `${homepage}/api/mcp`,
  });
  expect([...(files["icon.png"] ?? [])].slice(1, 4)).toEqual(
    [..."PNG"].map((letter) => letter.charCodeAt(0)),
  );
});

/** Started as an assistant does: with the manifest's command and the user's input. */
function startBridge(entered: string, address = `${service.url}/api/mcp`) {
  const { args = [], env = {} } = manifest().server.mcp_config;
  const child = spawn(
    process.execPath,
    args.map((arg) => arg.replace("${__dirname}", folder())),
    { env: { ...env, ATELIER_KEY: entered, ATELIER_URL: address }, stdio: ["pipe", "pipe", "ignore"] },
  );
  const heard: Message[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    heard.push(JSON.parse(line) as Message);
    for (const wake of waiting.splice(0)) wake();
  });
  const answerTo = async (id: number | null): Promise<Message> => {
    for (;;) {
      const found = heard.find((message) => message.id === id && (message.result ?? message.error));
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    heard,
    say,
    answerTo,
    ask: (id: number, method: string, params: object = {}) => {
      say({ id, method, params });
      return answerTo(id);
    },
    write: (text: string) => child.stdin.write(text),
    end: async () => {
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.stdin.end();
      return ended;
    },
  };
}

const clientInfo = { name: "test", version: "1" };

describe("the desktop bundle's bridge", () => {
  test("connects, lists the tools and calls one, and exits with the assistant", async () => {
    const bridge = startBridge(key);
    const begun = await bridge.ask(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    });
    expect(begun.result).toMatchObject({ protocolVersion: "2025-06-18" });
    bridge.say({ method: "notifications/initialized" });
    expect((await bridge.ask(2, "tools/list")).result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "connect_generate" })]),
    });
    const made = await bridge.ask(3, "tools/call", {
      name: "connect_generate",
      arguments: { modality: "image", model_slug: "picture", prompt: "a lighthouse", wait_seconds: 30 },
      _meta: { progressToken: "p" },
    });
    expect(made.result).toMatchObject({ structuredContent: { state: "completed" } });
    expect(await bridge.end()).toBe(0);
    // A notification gets no response.
    expect(bridge.heard.filter(({ id }) => id === undefined).every((message) => "method" in message)).toBe(
      true,
    );
  });

  test("supports the current protocol, which has no handshake", async () => {
    const bridge = startBridge(key);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const called = { name: "list_models", arguments: {}, _meta };
    expect((await bridge.ask(1, "tools/call", called)).result).toMatchObject({
      structuredContent: { models: expect.any(Array) },
    });
    const uri = "atelier://docs/quickstart";
    expect((await bridge.ask(2, "resources/read", { uri, _meta })).result).toMatchObject({
      contents: [{ uri, mimeType: "text/markdown" }],
    });
    const poster = { name: "poster", arguments: { subject: "a lighthouse" }, _meta };
    expect((await bridge.ask(3, "prompts/get", poster)).result).toMatchObject({
      messages: [{ role: "user" }],
    });
    // No header can contain this value.
    const odd = "atelier://docs/café ☕";
    expect((await bridge.ask(4, "resources/read", { uri: odd, _meta })).error).toMatchObject({
      code: -32602,
      data: { uri: odd },
    });
    await bridge.end();
  });

  test("returns an error with the request's id for a wrong key, no key, no server and invalid JSON", async () => {
    const wrong = startBridge("atl_gen_mistyped");
    expect((await wrong.ask(7, "tools/list")).error?.message).toMatch(/key/i);
    await wrong.end();
    const none = startBridge("");
    expect((await none.ask(8, "tools/list")).error?.message).toContain("There is no key.");
    none.write("no JSON\n");
    expect((await none.answerTo(null)).error?.code).toBe(-32700);
    await none.end();
    const nobody = startBridge(key, "http://127.0.0.1:1/api/mcp");
    expect((await nobody.ask(9, "tools/list")).error?.message).toContain("cannot be reached");
    await nobody.end();
  });
});
