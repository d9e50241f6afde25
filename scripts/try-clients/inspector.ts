// The protocol's inspector by its command line, in strict mode where it has one. Each query is a separate process.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Attempt, Target } from "./surroundings.ts";
import { type Done, readDone } from "./report.ts";

const FETCH_BOUND_MS = 600_000;
const ASK_BOUND_MS = 120_000;

const run = promisify(execFile);

export async function tryInspector(folder: string, version: string): Promise<Attempt> {
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
