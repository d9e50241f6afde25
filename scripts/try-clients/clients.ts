// The tried clients, each in a fixed version: those of package.json in this process, the others fetched.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { type AnyClient, MCP_CLIENTS } from "../../test/mcp/mcp-clients.ts";
import {
  type Attempt,
  GO_SDK_VERSION,
  PYTHON_SDK,
  type Target,
  isInstalled,
  prepareGo,
  preparePython,
} from "./environment.ts";
import { type Done, readDone } from "./report.ts";

const FETCH_BOUND_MS = 600_000;
const ASK_BOUND_MS = 120_000;

export type Client = {
  readonly name: string;
  /** Prepares the client in `folder`, or names what is missing on this machine. */
  readonly prepare: (folder: string) => Promise<Attempt | string>;
};

const DOCS = "atelier://docs/quickstart";
const INSPECTOR_VERSION = "2.12.0";

const PYTHON_CLIENTS = [
  ["Python SDK", "try_python_sdk", PYTHON_SDK],
  ["Python SDK", "try_python_sdk_older", "mcp==1.30.0"],
  ["FastMCP", "try_fastmcp", "fastmcp==4.0.10"],
  ["LangChain", "try_langchain", "langchain-mcp-adapters==0.3.2"],
  ["OpenAI Agents SDK", "try_openai_agents", "openai-agents==0.24.0"],
  ["Pydantic AI", "try_pydantic_ai", "pydantic-ai-slim[mcp]==2.68.0"],
] as const;

/** The clients with code in docs/connect.md, which is run too. */
const HEADINGS: readonly string[] = ["LangChain", "OpenAI Agents SDK", "Pydantic AI", "FastMCP"];

export const CLIENTS: readonly Client[] = [
  ...MCP_CLIENTS.map(([kind, connect]) => ({
    name: nameOfLibrary(kind),
    prepare: async () => (target: Target) => tryLibrary(connect, target),
  })),
  ...PYTHON_CLIENTS.map(([name, program, requirement]) => ({
    name: `${name} (${requirement})`,
    prepare: async (folder: string) => {
      if (!isInstalled("python3", "-c", "import venv, ensurepip")) return "no Python with venv";
      return preparePython(folder, program, requirement, HEADINGS.includes(name) ? name : undefined);
    },
  })),
  {
    name: `Go SDK (${GO_SDK_VERSION})`,
    prepare: async (folder) => {
      if (!isInstalled("go", "version")) return "no Go";
      return prepareGo(folder);
    },
  },
  { name: `Inspector (${INSPECTOR_VERSION})`, prepare: (folder) => tryInspector(folder, INSPECTOR_VERSION) },
];

function nameOfLibrary(kind: string): string {
  const { devDependencies: pinned } = packageJson;
  return kind === "the older library"
    ? `TypeScript SDK (sdk ${pinned["@modelcontextprotocol/sdk"]})`
    : `TypeScript SDK (client ${pinned["@modelcontextprotocol/client"]}), ${kind.replace("the current library ", "")}`;
}

async function tryLibrary(
  connect: (url: string, key?: string) => Promise<AnyClient>,
  target: Target,
): Promise<Done> {
  const client = await connect(target.url, target.key === "" ? undefined : target.key);
  const { reader } = client;
  const says = (answer: object, words: string) => JSON.stringify(answer).includes(words);
  const done = {
    protocol: client.version(),
    tools: (await client.toolNames()).length,
    called: says(await client.call("list_models", {}), "atelier-canvas"),
    resources: (await reader.listResources()).resources.length,
    read: says(await reader.readResource({ uri: DOCS }), "# Quickstart"),
    completed: says(
      await reader.complete({
        ref: { type: "ref/resource", uri: "atelier://docs/{chapter}" },
        argument: { name: "chapter", value: "quick" },
      }),
      "quickstart",
    ),
    ...(target.hasPrompts && {
      prompts: (await reader.listPrompts()).prompts.length,
      prompt: says(
        await reader.getPrompt({ name: "poster", arguments: { subject: "a lighthouse" } }),
        "a lighthouse",
      ),
    }),
  };
  await client.close();
  return readDone(JSON.stringify(done));
}

const run = promisify(execFile);

async function tryInspector(folder: string, version: string): Promise<Attempt> {
  const own = join(folder, "inspector");
  const name = `@modelcontextprotocol/inspector@${version}`;
  await run("npm", ["install", "--prefix", own, "--no-audit", "--no-fund", name], {
    timeout: FETCH_BOUND_MS,
  });
  const bin = join(own, "node_modules", ".bin", "mcp-inspector");
  return (target) => inspect(bin, target);
}

async function inspect(bin: string, { url, key, hasPrompts }: Target): Promise<Done> {
  const header = key === "" ? [] : ["--header", `Authorization: Bearer ${key}`];
  const ask = async (method: string, ...more: string[]): Promise<string> => {
    const args = ["--cli", url, "--transport", "http", ...header, "--method", method, ...more];
    return (await run(bin, args, { timeout: ASK_BOUND_MS, maxBuffer: 16 * 1024 * 1024 })).stdout;
  };
  const count = (text: string, list: string): number =>
    (JSON.parse(text) as Record<string, unknown[]>)[list]?.length ?? 0;
  const done = {
    tools: count(await ask("tools/list", "--strict"), "tools"),
    called: (await ask("tools/call", "--tool-name", "list_models")).includes("atelier-canvas"),
    resources: count(await ask("resources/list"), "resources"),
    read: (await ask("resources/read", "--uri", "atelier://docs/quickstart")).includes("# Quickstart"),
    ...(hasPrompts && {
      prompts: count(await ask("prompts/list"), "prompts"),
      prompt: (
        await ask("prompts/get", "--prompt-name", "poster", "--prompt-args", "subject=a lighthouse")
      ).includes("a lighthouse"),
    }),
  };
  return readDone(JSON.stringify(done));
}
