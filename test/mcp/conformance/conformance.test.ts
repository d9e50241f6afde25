// The protocol's own conformance suite, both the release and the newest preview, against all endpoints as they are, and against the
// same machinery with what the suite asks for. What fails is expected by name and reason in the files beside this one.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_CALLER } from "../../../proto/caller.ts";
import { registerEndpoint } from "../../../mcp/protocol/endpoint.ts";
import { loadConfig } from "../../../runtime/config/config.ts";
import { createHttpServer } from "../../../edge/http/server.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { startEndpoint, type TestEndpoint } from "../endpoint-server.ts";
import { createFakeCore, ENDPOINTS, GUIDE } from "../fake-core.ts";
import { startMemberEndpoint } from "../member/member-endpoint.ts";
import { createFixtureTools } from "./fixture-tools.ts";
import { type KeyedProxy, startKeyedProxy } from "./keyed-proxy.ts";

const SUITES = [
  ["0.1", "@modelcontextprotocol/conformance"],
  ["0.2", "mcp-conformance-next"],
] as const;
const TIMEOUT_MS = 120_000;

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** An endpoint behind a proxy that adds the key which the suite cannot send. */
async function openKeyed(
  start: (env: Record<string, string>) => Promise<Pick<TestEndpoint, "key" | "url" | "close">>,
): Promise<string> {
  const proxy: KeyedProxy = await startKeyedProxy();
  const endpoint = await start({ ATELIER_RATE_LIMITS: "off", ATELIER_ALLOWED_ORIGINS: proxy.origin });
  proxy.passTo(endpoint.url, endpoint.key);
  closers.push(endpoint.close, proxy.close);
  return proxy.origin + new URL(endpoint.url).pathname;
}

/** The machinery of the endpoints with the suite's tools, open to everybody. */
async function openFixture(): Promise<string> {
  const config = loadConfig({ ATELIER_LOG_LEVEL: "error" });
  const log = createLog("error", "test", { write: () => {} });
  const app = createHttpServer({ config, log });
  const core = createFakeCore();
  const toolset = createFixtureTools(core);
  const allowedOrigins = new Set<string>();
  await app.register(registerEndpoint, {
    path: "/mcp",
    url: "http://atelier.test/mcp",
    info: { name: "fixture", version: "1.0.0" },
    instructions: "For the conformance suite.",
    words: {},
    endpoints: ENDPOINTS,
    guide: GUIDE,
    core: core.client,
    log,
    allowedOrigins,
    admit: async () => ({
      caller: NO_CALLER,
      toolset,
      countGeneration: async () => {},
      open: () => () => {},
    }),
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const origin = `http://localhost:${port}`;
  allowedOrigins.add(origin);
  closers.push(() => app.close());
  return `${origin}/mcp`;
}

let urls: Record<"catalog" | "generation" | "member" | "fixture", string>;
beforeAll(async () => {
  urls = {
    catalog: await openKeyed(async (env) => {
      const members = await startMemberEndpoint(env);
      return { ...members, url: `${members.origin}/mcp` };
    }),
    generation: await openKeyed(startEndpoint),
    member: await openKeyed(startMemberEndpoint),
    fixture: await openFixture(),
  };
});

function runSuite(name: string, url: string, expected: string): Promise<{ passed: boolean; output: string }> {
  const cli = join(import.meta.dirname, "../../../node_modules", name, "dist/index.js");
  const args = [cli, "server", "--suite", "all", "--url", url, "--expected-failures", expected];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: (stdout + stderr).slice(-6000) }),
    );
  });
}

const folder = mkdtempSync(join(tmpdir(), "atelier-conformance-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The list of a file; empty where the suite of that version has nothing to say. */
function readExpected(part: string, version: string): string {
  const file = join(import.meta.dirname, `expected-${part}-${version}.yml`);
  return existsSync(file) ? readFileSync(file, "utf8").replace(/^server:$/m, "") : "";
}

describe.each(SUITES)("the conformance suite %s", (version, name) => {
  test.concurrent.each([
    ["the catalog endpoint", "catalog", ["endpoints", "no-tasks", "no-prompts"]],
    ["the generation endpoint", "generation", ["endpoints"]],
    ["the member endpoint", "member", ["endpoints"]],
    ["the machinery with the suite's own tools", "fixture", ["fixture"]],
  ] as const)(
    "[MCP-18] finds in %s no failure but the expected ones",
    async (_what, endpoint, expected) => {
      const file = join(folder, `${endpoint}-${version}.yml`);
      writeFileSync(file, `server:\n${expected.map((part) => readExpected(part, version)).join("")}`);
      const { passed, output } = await runSuite(name, urls[endpoint], file);
      expect(passed, output).toBe(true);
    },
    TIMEOUT_MS,
  );
});
