// The tools that all three servers of the measurement have: the generation endpoint's list, and one more that needs no core.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { defineTool } from "../../mcp/protocol/tool.ts";
import { parseRequest } from "../../proto/resources/issues.ts";

const input = z.strictObject({ text: z.string().min(1).max(1000) });

function count(text: string): { text: string; structured: { characters: number } } {
  return { text: `${text.length} characters.`, structured: { characters: text.length } };
}

const countText = defineTool({
  name: "count_text",
  title: "Count characters",
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
export const LISTINGS = BENCH_TOOLS.map(({ listing }) => listing);

/** The same tool for servers that call it themselves, with the same check of its arguments. */
export function callCountText(args: unknown): CallToolResult {
  const { text, structured } = count(parseRequest(input, args).text);
  return { content: [{ type: "text", text }], structuredContent: structured };
}
