import { expect, test } from "vitest";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../../mcp/member/tools.ts";
import { countTokens } from "../support/count-tokens.ts";

/** Whatever a list costs, every assistant pays it in every conversation. */
const MAX_TOKENS = 4_000;
const MAX_TOKENS_EACH = 700;

test.each([
  ["the generation endpoint", GENERATION_TOOLSET, 7],
  ["the member endpoint", MEMBER_TOOLSET_WITH_API, 11],
])("%s lists all its tools for less than 4,000 tokens", (_what, { listing }, count) => {
  expect(listing.tools).toHaveLength(count);
  expect(countTokens(JSON.stringify(listing))).toBeLessThan(MAX_TOKENS);
  for (const tool of listing.tools)
    expect(countTokens(JSON.stringify(tool)), tool.name).toBeLessThan(MAX_TOKENS_EACH);
});
