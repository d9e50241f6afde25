// The endpoints' tool lists, which every assistant pays for in each conversation.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { countTokens } from "../support/count-tokens.ts";
import { sharedByTests } from "../support/shared.ts";
import { eventsOf } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, request, TASKS } from "./messages.ts";
import { type EndpointName, TOOLSETS } from "./tool-cases.ts";

const ENDPOINT_NAMES = ["catalog", "generation", "member"] as const;

describe.each(ENDPOINT_NAMES)("the list of the %s tools", (name) => {
  const { listing } = TOOLSETS[name];

  test("[MCP-01] matches its snapshot", async () => {
    await expect(`${JSON.stringify(shown(name), undefined, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, `snapshots/${name}-tools.snap`),
    );
  });

  test("[MCP-01] has verb_noun names, titles, descriptions and all four annotations", () => {
    for (const tool of listing.tools) {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(tool.title).toBeTruthy();
      expect(tool.description?.length).toBeGreaterThan(80);
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const)
        expect(tool.annotations?.[hint]).toBeTypeOf("boolean");
    }
  });

  test("describes every tool's cost or its effect on credits", () => {
    for (const { description } of listing.tools) expect(description).toMatch(/costs|credits/i);
  });

  test("has self-contained schemas: inputs refuse unknown fields, outputs allow them", () => {
    for (const { inputSchema, outputSchema } of listing.tools) {
      expect(inputSchema["additionalProperties"]).toBe(false);
      const output = JSON.stringify(outputSchema);
      expect(output).not.toContain('"additionalProperties":false');
      expect(output + JSON.stringify(inputSchema)).not.toContain("$ref");
      // Some models' interfaces support one type at a time.
      expect(output + JSON.stringify(inputSchema)).not.toMatch(/"type":\[/);
    }
  });

  test("[MCP-19] declares every whole number as integer", () => {
    const WHOLE =
      /^(credits.*|monthly_credits|balance.*|held|available|amount|hold|total.*|page|page_size|limit|wait_seconds|seq|bytes|attempts)$/;
    const found: string[] = [];
    for (const { name: tool, inputSchema, outputSchema } of listing.tools) {
      walk({ inputSchema, outputSchema }, (property, schema) => {
        if (!WHOLE.test(property)) return;
        found.push(property);
        expect([tool, property, schema["type"]]).toEqual([tool, property, "integer"]);
      });
    }
    expect(found).toEqual(
      expect.arrayContaining(
        name === "catalog"
          ? ["page_size", "monthly_credits"]
          : ["wait_seconds", "limit", "credits_reserved", "balance"],
      ),
    );
  });

  test("[MCP-19] has inputs that a client can make strict: all required, with null for an absent one", () => {
    for (const { inputSchema } of listing.tools) {
      const strict = toStrict(inputSchema);
      // What models' interfaces require of a strict schema.
      walk({ strict }, (_property, schema) => {
        if (schema["type"] !== "object") return;
        expect(schema["additionalProperties"]).toBe(false);
        expect(schema["required"]).toEqual(Object.keys(schema["properties"] as object));
      });
      expect(strict["type"]).toBe("object");
      expect(() =>
        new Ajv2020({
          strict: true,
          allowUnionTypes: true,
          formats: { uri: true, "date-time": true },
        }).compile(strict),
      ).not.toThrow();
    }
  });
});

test.each([
  ["mcp.md", TOOLSETS.generation],
  ["members.md", TOOLSETS.member],
] as const)("the table of the guide's %s has exactly the listed tools", (file, { listing }) => {
  const chapter = readFileSync(join(import.meta.dirname, "../../docs/guide", file), "utf8");
  const [, section = ""] = /^## The tools$([^#]*)/m.exec(chapter) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const shown = rows.flatMap((row) => row.split("|")[1]?.match(/\w+/g) ?? []);
  expect(shown.toSorted()).toEqual(listing.tools.map(({ name }) => name).toSorted());
});

describe("the result of tools/list, in every form for clients,", () => {
  const members = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));

  const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
  const EVERYTHING = { elicitation: {}, extensions: { ...APPS.extensions, ...TASKS.extensions } };
  const LIST = request("tools/list");
  const current = (capabilities: object) => asCurrent(LIST, capabilities);
  const FORMS: readonly [form: string, message: { body: object; headers: Record<string, string> }][] = [
    ["older", { body: LIST, headers: {} }],
    ["older, as events", { body: LIST, headers: { accept: "text/event-stream" } }],
    ["older, with views", { body: LIST, headers: { "mcp-session-id": "views-x" } }],
    ["current", current({})],
    ["current, with tasks", current(TASKS)],
    ["current, with views", current(APPS)],
    ["current, with everything", current(EVERYTHING)],
  ];
  const ENDPOINTS = [
    ["catalog", 1500, "catalog"],
    ["generation", 4000, "generation"],
    ["member without the API", 4000, "member"],
    ["member with the API", 4000, "member"],
  ] as const;

  const ROWS = ENDPOINTS.flatMap(([name, maxTokens, endpoint]) =>
    FORMS.map(([form, sent]) => ({ name, maxTokens, endpoint, form, ...sent })),
  );
  test.each(ROWS)(
    "[MCP-01] of the $name endpoint has fewer than $maxTokens tokens: $form",
    async ({ name, maxTokens, endpoint, body, headers }) => {
      members.membership.plan_includes_api = name === "member with the API";
      const { status, text, json } = await members.posts[endpoint](body, headers);
      expect(status).toBe(200);
      const { result } = (json ?? eventsOf(text).at(-1)) as { result: { tools: { name: string }[] } };
      const names = result.tools.map((tool) => tool.name);
      expect(names.includes("connect_generate")).toBe(["generation", "member with the API"].includes(name));
      expect(countTokens(JSON.stringify(result))).toBeLessThan(maxTokens);
    },
  );
});

/** An endpoint's tools. What a tool has in common with that of an endpoint before it is shown only there. */
function shown(name: EndpointName): object {
  const before = ENDPOINT_NAMES.slice(0, ENDPOINT_NAMES.indexOf(name));
  const { listing } = TOOLSETS[name];
  const tools = listing.tools.map((tool) => {
    const fields = Object.entries(tool).map(([field, value]) => {
      const same = before.find((other) => isDeepStrictEqual(toolOf(other, tool.name)[field], value));
      return [field, same && typeof value === "object" ? `as of ${same}` : value] as const;
    });
    return Object.fromEntries(fields);
  });
  return { ...listing, tools };
}

function toolOf(endpoint: EndpointName, tool: string): Record<string, unknown> {
  return { ...TOOLSETS[endpoint].listing.tools.find(({ name }) => name === tool) };
}

type Schema = Record<string, unknown>;

/** Every nested schema, by the name of its property. */
function walk(node: unknown, visit: (property: string, schema: Schema) => void, property = ""): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node) && "type" in node && typeof node.type === "string")
    visit(property, node as Schema);
  for (const [name, inner] of Object.entries(node)) walk(inner, visit, Array.isArray(node) ? property : name);
}

/** As clients do: no additional properties, everything required, and null for optional ones. */
function toStrict(schema: Schema): Schema {
  const { maxProperties: _, default: __, ...kept } = schema;
  if (schema["type"] === "array") return { ...kept, items: toStrict(schema["items"] as Schema) };
  if (schema["type"] !== "object") return kept;
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const required = (schema["required"] ?? []) as string[];
  return {
    ...kept,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        required.includes(name) ? toStrict(inner) : { anyOf: [toStrict(inner), { type: "null" }] },
      ]),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
