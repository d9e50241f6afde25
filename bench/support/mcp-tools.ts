// The tools of all three servers in node: the generation endpoint's list, and one more that needs no core.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { NO_INPUT } from "../../mcp/protocol/client-input.ts";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { defineTool, type Tool, type ToolContext } from "../../mcp/protocol/tool.ts";

const input = z.strictObject({ text: z.string().min(1).max(1000) });

function count(text: string): { text: string; structured: { characters: number } } {
  return { text: `${text.length} characters.`, structured: { characters: text.length } };
}

const countText = defineTool({
  name: "count_text",
  title: "Count characters",
  endpoints: [],
  description: "Counts the characters of a text. Costs nothing.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output: z.object({ characters: z.number() }),
  handle: async ({ text }) => count(text),
});

const GENERATION_TOOLS = GENERATION_TOOLSET.listing.tools.flatMap(
  ({ name }) => GENERATION_TOOLSET.find(name) ?? [],
);
export const BENCH_TOOLS = [...GENERATION_TOOLS, countText];

/** For servers that call a tool themselves, with the same check of its arguments. `context` has what their tools use. */
export async function callTool(
  tools: readonly Tool[],
  { name, arguments: args = {} }: { name: string; arguments?: unknown },
  context: Partial<ToolContext> = {},
): Promise<CallToolResult> {
  const tool = tools.find(({ listing }) => listing.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return (await tool.call(args, { takesTasks: false, input: NO_INPUT, ...context } as ToolContext)).result;
}
