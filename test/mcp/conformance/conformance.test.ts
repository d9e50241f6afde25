// The protocol's own conformance suite against the three endpoints, which have the suite's tools, resources and prompts in addition to
// their own. Expected failures have a name and reason in expected-failures.yml.
import { execFile } from "node:child_process";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEndpoint, type TestEndpoint } from "../endpoint-server.ts";
import { startMemberEndpoint } from "../member/member-endpoint.ts";
import { createFixture } from "./fixture-tools.ts";

const SUITE = join(
  import.meta.dirname,
  "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const EXPECTED = join(import.meta.dirname, "expected-failures.yml");
const TIMEOUT_MS = 120_000;

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** An endpoint behind a proxy that adds the key which the suite cannot send. */
async function open(
  start: (...how: Parameters<typeof startEndpoint>) => Promise<TestEndpoint>,
  path?: string,
): Promise<string> {
  const proxy = await startKeyedProxy();
  const env = { ATELIER_RATE_LIMITS: "off", ATELIER_ALLOWED_ORIGINS: proxy.origin };
  const endpoint = await start(env, createFixture);
  const url = path === undefined ? endpoint.url : endpoint.origin + path;
  proxy.passTo(url, endpoint.key);
  closers.push(endpoint.close, proxy.close);
  return proxy.origin + new URL(url).pathname;
}

let urls: Record<"catalog" | "generation" | "member", string>;
beforeAll(async () => {
  urls = {
    catalog: await open(startMemberEndpoint, "/mcp"),
    generation: await open(startEndpoint),
    member: await open(startMemberEndpoint),
  };
});

function run(url: string, which: readonly string[]): Promise<{ passed: boolean; output: string }> {
  const args = [SUITE, "server", ...which, "--url", url, "--expected-failures", EXPECTED];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: (stdout + stderr).slice(-6000) }),
    );
  });
}

describe.each(["catalog", "generation", "member"] as const)("the %s endpoint", (endpoint) => {
  test.concurrent.each([
    ["the requirements for older clients", ["--requirements", "2025-11-25"]],
    ["the requirements for current clients, and tasks", ["--requirements", "2026-07-28"]],
    ["the lists of skills", ["--scenario", "sep-2640-skills-enumeration"]],
    ["the files of skills", ["--scenario", "sep-2640-skills-manifest"]],
  ])(
    "[MCP-18] has only the expected failures in the conformance suite: %s",
    async (_what, which) => {
      const { passed, output } = await run(urls[endpoint], which);
      expect(passed, output).toBe(true);
    },
    TIMEOUT_MS,
  );
});

/** Adds a key to every request, for programs that cannot send one. */
type KeyedProxy = {
  readonly origin: string;
  /** The target of requests from now on, and their key. The rest of a request is unchanged. */
  passTo(target: string, key: string): void;
  close(): Promise<void>;
};

async function startKeyedProxy(): Promise<KeyedProxy> {
  let to = { target: new URL("http://127.0.0.1"), key: "" };
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${to.key}` };
    const { method, url: path } = incoming;
    const { hostname, port } = to.target;
    const sent = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    passTo(target, key) {
      to = { target: new URL(target), key };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
