// What both endpoints list: the part that every assistant pays for in each conversation.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../../mcp/member/tools.ts";
import { countTokens } from "../support/count-tokens.ts";

const MAX_TOKENS = 4000;

describe.each([
  ["generation", GENERATION_TOOLSET],
  ["member", MEMBER_TOOLSET_WITH_API],
])("the list of the %s tools", (name, { listing }) => {
  test("is the published one", async () => {
    await expect(`${JSON.stringify(listing, undefined, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, `snapshots/${name}-tools.snap`),
    );
  });

  test("costs an assistant less than 4,000 tokens", () => {
    expect(countTokens(JSON.stringify(listing))).toBeLessThan(MAX_TOKENS);
  });

  test("names every tool verb_noun, with a title, a description and all four annotations", () => {
    for (const tool of listing.tools) {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(tool.title).toBeTruthy();
      expect(tool.description?.length).toBeGreaterThan(80);
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const)
        expect(tool.annotations?.[hint]).toBeTypeOf("boolean");
    }
  });

  test("says of every tool what it costs, or what becomes of credits", () => {
    for (const { description } of listing.tools) expect(description).toMatch(/costs|credits/i);
  });

  test("has self-contained schemas: inputs refuse unknown fields, outputs allow them", () => {
    for (const { inputSchema, outputSchema } of listing.tools) {
      expect(inputSchema["additionalProperties"]).toBe(false);
      const output = JSON.stringify(outputSchema);
      expect(output).not.toContain('"additionalProperties":false');
      expect(output + JSON.stringify(inputSchema)).not.toContain("$ref");
      // Some models' interfaces know one type at a time.
      expect(output + JSON.stringify(inputSchema)).not.toMatch(/"type":\[/);
    }
  });
});
