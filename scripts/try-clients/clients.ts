// The tried clients, each in a fixed version: those of package.json in this process, the others fetched.
import packageJson from "../../package.json" with { type: "json" };
import { type AnyClient, MCP_CLIENTS } from "../../test/mcp/mcp-clients.ts";
import { tryInspector } from "./inspector.ts";
import { type Done, readDone } from "./report.ts";
import {
  type Attempt,
  GO_SDK_VERSION,
  isInstalled,
  prepareGo,
  preparePython,
  PYTHON_SDK,
  type Target,
} from "./surroundings.ts";

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
