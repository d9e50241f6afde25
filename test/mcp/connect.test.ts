// server.json and docs/connect.md describe the endpoints correctly.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { z } from "zod";
import { PROTOCOL_VERSIONS, TOOL_SERVERS } from "../../edge/tool-servers.ts";
import { CURRENT_VERSION } from "../../mcp/protocol/plain-messages.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const variables = z.record(z.string(), z.looseObject({ placeholder: z.string() })).default({});
/** The fields that are checked here; the schema checks the rest. */
const serverSchema = z.looseObject({
  $schema: z.literal(SCHEMA),
  remotes: z.array(
    z.looseObject({
      url: z.string(),
      variables,
      headers: z.array(z.looseObject({ value: z.string(), variables })).default([]),
    }),
  ),
});

const description = (): unknown => JSON.parse(readFileSync(join(ROOT, "server.json"), "utf8"));

test("server.json matches the registry's schema, which refuses invalid ones", () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "registry/2025-12-11.json"), "utf8"),
  ) as object;
  expect(schema).toMatchObject({ $id: SCHEMA });
  // The one format of the schema; URLs with variables have none. "example" is a note, not a rule.
  const fits = new Ajv({ strict: false, formats: { uri: (text: string) => URL.canParse(text) } }).compile(
    schema,
  );
  expect(fits(description()), JSON.stringify(fits.errors)).toBe(true);
  const text = JSON.stringify(description());
  for (const [from, to] of [
    ['"name":"com.example/atelier"', '"name":"atelier"'],
    ['"type":"streamable-http"', '"type":"http"'],
    ['"isSecret":true', '"isSecret":"yes"'],
    ['"version":"1.0.0"', '"release":"1.0.0"'],
    ['"description":"Digital', `"description":"${"x".repeat(100)}`],
  ] as const) {
    expect(text).toContain(from);
    expect(fits(JSON.parse(text.replace(from, to))), to).toBe(false);
  }
});

test("server.json describes every endpoint with its key as a secret", () => {
  const { remotes } = serverSchema.parse(description());
  const described = remotes.map(({ url, variables: values, headers }) => [
    new URL(fillIn(url, values)).pathname,
    ...headers.map((header) => fillIn(header.value, header.variables).slice(0, "Bearer atl_gen_".length)),
  ]);
  expect(described).toEqual([
    [TOOL_SERVERS.catalog.path],
    [TOOL_SERVERS.generation.path, "Bearer atl_gen_"],
    [TOOL_SERVERS.member.path, "Bearer atl_mem_"],
  ]);
  for (const { headers } of remotes)
    for (const header of headers)
      expect(header).toMatchObject({ name: "Authorization", isRequired: true, isSecret: true });
});

test("the server cards list the protocol versions of the endpoints", () => {
  expect(PROTOCOL_VERSIONS).toEqual(
    [CURRENT_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS].filter((version) => version >= "2025"),
  );
});

test.each([
  "deploy/Caddyfile",
  "deploy/helm/atelier/templates/ingress.yaml",
  "scripts/testbed/balancer-process.ts",
  "docs/architecture/overview.md",
  "docs/connect.md",
])("%s knows every endpoint", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const { path } of Object.values(TOOL_SERVERS))
    expect(text).toMatch(new RegExp(`(?:[ "\`]|HOST)${path}[\\s,"\`]`));
});

function fillIn(template: string, values: z.output<typeof variables>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name]?.placeholder ?? "?");
}

const page = readFileSync(join(ROOT, "docs/connect.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

test("every configuration of the page is well-formed, with the endpoint's URL and the key", () => {
  const configurations = blocks.filter(({ text }) => /https:\/\/HOST\/(?!mcp)/.test(text));
  expect(configurations.length).toBe(16);
  for (const { language, text } of configurations) {
    if (language === "json") expect(() => JSON.parse(text) as unknown, text).not.toThrow();
    expect(text).toContain("https://HOST/api/mcp");
    expect(text).toMatch(/Authorization|bearer_token_env_var|auth=os\.environ\["ATELIER_KEY"\]/);
  }
});

test("the page's list of errors has the real statuses and codes", () => {
  const rows = [...page.matchAll(/^- (\d{3}) `(\w+)`/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, status, code = ""] of rows) {
    expect(ERROR_TABLE).toHaveProperty(code);
    expect(String(ERROR_TABLE[code as keyof typeof ERROR_TABLE].http), code).toBe(status);
  }
});
