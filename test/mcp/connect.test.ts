// What people and registries are told about connecting: server.json and docs/connect.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { TOOL_PATHS } from "../../mcp/app.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const input = z.strictObject({
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  placeholder: z.string().optional(),
  value: z.string().optional(),
});
const variables = z.record(z.string(), input).optional();

/** What the registry's schema of that date demands of a server that is only remote. */
const serverSchema = z.strictObject({
  $schema: z.literal(SCHEMA),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  remotes: z.array(
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.string(),
      variables,
      headers: z.array(input.extend({ name: z.string(), variables })).default([]),
    }),
  ),
});

test("server.json is a description that the registry takes, of every endpoint with the key that it needs as a secret", () => {
  const { remotes } = serverSchema.parse(JSON.parse(readFileSync(join(ROOT, "server.json"), "utf8")));
  const described = remotes.map(({ url, variables: values, headers }) => [
    new URL(fillIn(url, values)).pathname,
    ...headers.map((header) => fillIn(header.value, header.variables).slice(0, "Bearer atl_gen_".length)),
  ]);
  expect(described).toEqual([
    [TOOL_PATHS.catalog],
    [TOOL_PATHS.generation, "Bearer atl_gen_"],
    [TOOL_PATHS.member, "Bearer atl_mem_"],
  ]);
  for (const { headers } of remotes)
    for (const header of headers)
      expect(header).toMatchObject({ name: "Authorization", isRequired: true, isSecret: true });
});

test.each([
  "deploy/Caddyfile",
  "deploy/helm/atelier/templates/ingress.yaml",
  "scripts/cluster/balancer-process.ts",
  "docs/architecture/surfaces.md",
  "docs/connect.md",
])("%s knows every endpoint", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const path of Object.values(TOOL_PATHS))
    expect(text).toMatch(new RegExp(`(?:[ "\`]|HOST)${path}[\\s,"\`]`));
});

function fillIn(template = "", values: z.output<typeof variables> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name]?.placeholder ?? "?");
}

const page = readFileSync(join(ROOT, "docs/connect.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

test("every configuration of the page is well-formed, goes to the endpoint and sends the key", () => {
  const configurations = blocks.filter(({ text }) => /https:\/\/HOST\/(?!mcp)/.test(text));
  expect(configurations.length).toBe(9);
  for (const { language, text } of configurations) {
    if (language === "json") expect(() => JSON.parse(text) as unknown, text).not.toThrow();
    expect(text).toContain("https://HOST/api/mcp");
    expect(text).toMatch(/Authorization|bearer_token_env_var/);
  }
});

test("the page's table of answers names statuses and codes as they are", () => {
  const rows = [...page.matchAll(/^\| (\d{3}) `(\w+)`/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, status, code = ""] of rows) {
    expect(ERROR_TABLE).toHaveProperty(code);
    expect(String(ERROR_TABLE[code as keyof typeof ERROR_TABLE].http), code).toBe(status);
  }
});
