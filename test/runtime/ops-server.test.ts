import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { hostname } from "node:os";
import { afterEach, expect, test, afterAll, beforeAll, inject } from "vitest";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics, observeProcess } from "../../runtime/ops/metrics.ts";
import { type OpsServer, type ReadinessCheck, startOpsServer } from "../../runtime/ops/server.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const log = createLog("silent", "test");
let server: OpsServer;
afterEach(() => server.close());

async function get(
  path: string,
  checks: ReadinessCheck[] = [],
  metrics = createMetrics(),
): Promise<[number, string]> {
  server = await startOpsServer({
    port: 0,
    role: "core",
    registry: metrics.registry,
    checks,
    panels: [],
    log,
  });
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [response.status, await response.text()];
}

test("a live process is healthy, ready or not, and shows its release", async () => {
  const [status, body] = await get("/healthz", [{ name: "core", check: async () => false }]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect([status, JSON.parse(body)]).toEqual([200, { alive: true, release: version }]);
  await server.close();
  const metrics = createMetrics();
  observeProcess(metrics);
  expect((await get("/metrics", [], metrics))[1]).toContain(`atelier_release{release="${version}"} 1`);
  await server.close();
  expect((await get("/"))[1]).toContain(`Release ${version}`);
});

test("the operations port listens on loopback unless configured", async () => {
  const elsewhere = () =>
    fetch(`http://127.0.0.2:${server.port}/healthz`).then(
      ({ status }) => status,
      () => "nobody",
    );
  await get("/healthz");
  expect(await elsewhere()).toBe("nobody");
  await server.close();
  const { registry } = createMetrics();
  server = await startOpsServer({
    host: "0.0.0.0",
    port: 0,
    role: "core",
    registry,
    checks: [],
    panels: [],
    log,
  });
  expect(await elsewhere()).toBe(200);
});

test("readiness passes when every check passes", async () => {
  const [status, body] = await get("/readyz", [{ name: "core", check: async () => true }]);
  expect([status, JSON.parse(body)]).toEqual([200, { ready: true, not_ready: [] }]);
});

test("readiness names checks that fail, throw and hang", async () => {
  const checks: ReadinessCheck[] = [
    { name: "core", check: async () => true },
    { name: "worker", check: async () => false },
    { name: "mongod", check: () => Promise.reject(new Error("away")) },
    { name: "redis", check: () => new Promise(() => {}) },
  ];
  const [status, body] = await get("/readyz", checks);
  expect([status, JSON.parse(body)]).toEqual([
    503,
    { ready: false, not_ready: ["worker", "mongod", "redis"] },
  ]);
});

test("[OPS-22] readiness passes without a minor part, and names it with the reason", async () => {
  const checks: ReadinessCheck[] = [
    { name: "core", check: async () => true },
    { name: "room for new jobs", check: async () => "3 MB are free", isMinor: true },
  ];
  const [status, body] = await get("/readyz", checks);
  const degraded = { degraded: ["room for new jobs"], reasons: ["room for new jobs: 3 MB are free"] };
  expect([status, JSON.parse(body)]).toEqual([200, { ready: true, not_ready: [], ...degraded }]);
});

test("readiness can exclude checks, which are then not run", async () => {
  const checks: ReadinessCheck[] = [
    { name: "not draining", check: async () => true },
    { name: "core", check: () => Promise.reject(new Error("asked")) },
    { name: "clock", check: async () => false },
  ];
  const [status, body] = await get("/readyz?exclude=core&exclude=clock", checks);
  expect([status, JSON.parse(body)]).toEqual([200, { ready: true, not_ready: [] }]);
  expect((await get("/readyz?exclude=core", checks))[0]).toBe(503);
});

test("a change of readiness is logged once for each set of parts, and not for every probe", async () => {
  const said: { msg: string; not_ready?: { name: string }[] }[] = [];
  const away = new Set(["core", "clock"]);
  const checks = ["core", "clock"].map((name) => ({ name, check: async () => !away.has(name) }));
  server = await startOpsServer({
    port: 0,
    role: "gateway",
    registry: createMetrics().registry,
    checks,
    panels: [],
    log: createLog("info", "test", { write: (line) => void said.push(JSON.parse(line)) }),
  });
  const probe = async (question = "") => {
    for (let n = 0; n < 10; n++) await fetch(`http://127.0.0.1:${server.port}/readyz${question}`);
  };
  await probe();
  away.delete("clock");
  await probe();
  await probe("?exclude=core");
  away.clear();
  await probe();
  away.add("core");
  await probe();
  expect(said.map(({ msg, not_ready: missing }) => [msg, missing?.map(({ name }) => name)])).toEqual([
    ["not ready", ["core", "clock"]],
    ["not ready", ["core"]],
    ["ready again", undefined],
    ["not ready", ["core"]],
  ]);
});

test("metrics contain counters, timers and the process's own numbers", async () => {
  const metrics = createMetrics();
  metrics.counter("jobs_total", "Jobs.", ["state"]).inc({ state: "completed" });
  metrics.duration("run", "Runs.", []).observe({}, 0.2);
  observeProcess(metrics);
  const [status, body] = await get("/metrics", [], metrics);
  expect(status).toBe(200);
  expect(body).toContain('atelier_jobs_total{state="completed"} 1');
  expect(body).toContain('atelier_run_seconds_bucket{le="0.25"} 1');
  expect(body).toContain("process_resident_memory_bytes");
});

test("metrics leave out only a gauge that cannot be read", async () => {
  const metrics = createMetrics();
  let isAway = false;
  metrics.gauge("depth", "Depth.", async () => {
    if (isAway) throw new Error("away");
    return 3;
  });
  metrics.gauge("height", "Height.", () => 4);
  const [, before] = await get("/metrics", [], metrics);
  expect(before).toContain("\natelier_depth 3\n");
  isAway = true;
  await server.close();
  const [status, after] = await get("/metrics", [], metrics);
  expect(status).toBe(200);
  expect(after).not.toContain("\natelier_depth ");
  expect(after).toContain("\natelier_height 4\n");
});

test("an unknown path is 404", async () => {
  expect((await get("/api/jobs"))[0]).toBe(404);
});

const callAs = (host: string | undefined, path = "/healthz") =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request({ port: server.port, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });

test("a foreign Host is refused on every path, and the service's own names are accepted", async () => {
  const { registry } = createMetrics();
  const names = ["core.monitoring.example"];
  server = await startOpsServer({ port: 0, role: "core", registry, checks: [], panels: [], names, log });
  const foreign = [
    "evil.example",
    "evil.example:9464",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "1.2.3.4.5",
  ];
  for (const host of foreign)
    for (const path of ["/", "/healthz", "/readyz", "/metrics"])
      expect([host, path, await callAs(host, path)]).toEqual([host, path, 421]);
  const own = [
    undefined,
    "localhost",
    `LOCALHOST:${server.port}`,
    "127.0.0.1:9464",
    "[::1]:9464",
    // A cluster's probe and a scraper name the pod's address.
    "10.42.0.17:9464",
    "[fd00::17]:9464",
    "core:9464",
    hostname(),
    "Core.Monitoring.example:9464",
  ];
  for (const host of own) expect([host, await callAs(host)]).toEqual([host, 200]);
});

// The operator's page of each role, started by its real entry: tables for roles with data, numbers for all.
/** The page of a service that has just started: tables with rows, and a sentence for each of the others. */
const TABLES = ["Providers", "Ledger", "Public log", "Database"];
const EMPTY_TABLES = [
  "Nothing needs attention.",
  "Nothing is paused.",
  "No ticket waits for support.",
  "No order waits to be paid.",
  "None of the newest thousand jobs failed.",
  "No witness is set.",
];

type Started = { readonly process: ServiceProcess; readonly opsUrl: string };

const folder = useFolder();
const running: ServiceProcess[] = [];
let whole: Started;

/** Starts the entry with a free operations port. Resolves when it reports ready. */
async function start(entry: string, env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const opsUrl = `http://127.0.0.1:${port}`;
  const process = startEntry(entry, {
    ATELIER_DATA_DIR: folder(entry.replace("/", "-")),
    ATELIER_OPS_PORT: String(port),
    ...env,
  });
  running.push(process);
  await process.until(`${entry} to be ready`, async () => (await fetch(`${opsUrl}/readyz`)).ok);
  return { process, opsUrl };
}

/** One database for all roles with data: core and worker alone seed nothing. */
const WITH_DATA = {
  MONGODB_URI: inject("mongodUri"),
  ATELIER_MONGO_DATABASE: `test_${randomUUID()}`,
  ATELIER_DEMO_PRODUCTS: "10",
};
/** Of the core in the whole service. */
const withCore = () => ({
  ATELIER_CORE_ADDRESS: /gRPC\s+(\S+)/.exec(whole.process.stdout())?.[1] ?? "",
  // The same data folder has the secret that both sign with.
  ATELIER_DATA_DIR: folder("scripts-start.ts"),
});

async function pageOf({ opsUrl }: Started) {
  const html = await (await fetch(opsUrl)).text();
  const headings = [...html.matchAll(/<section class="panel">\s*<h2>([^<]*)</g)].map(([, title]) => title);
  return { html, headings, empty: EMPTY_TABLES.filter((sentence) => html.includes(sentence)) };
}

/**
 * Returns a page with every table of `core/entry/operator-panels.ts`, each of them read. A page waits for them only for a moment, which is
 * too short for the first reads of a process on a busy machine; those after it are quicker.
 */
async function pageWithAllTables(started: Started): Promise<string> {
  let html = "";
  const read = async () => {
    const page = await pageOf(started);
    html = page.html;
    return [page.headings, page.empty, html.includes("This could not be read now.")];
  };
  await expect.poll(read).toEqual([TABLES, EMPTY_TABLES, false]);
  return html;
}

beforeAll(async () => {
  whole = await start("scripts/start.ts", WITH_DATA);
  await waitFor("a checkpoint", async () => (await pageOf(whole)).headings.includes("Public log"));
});
afterAll(() => Promise.all(running.map((process) => process.stop())));

test("the operator's page of the whole service shows all its tables, and each role's numbers", async () => {
  const html = await pageWithAllTables(whole);
  for (const title of ["Accepting a job", "Waiting in the queue", "Answering over HTTP"])
    expect(html).toContain(title);
});

test.each([
  ["core/entry/main.ts", "Accepting a job"],
  ["core/entry/worker.ts", "Waiting in the queue"],
])("the operator's page of %s alone shows all its tables and numbers", async (entry, title) => {
  expect(await pageWithAllTables(await start(entry, WITH_DATA))).toContain(title);
});

test.each(["gateway/main.ts", "mcp/main.ts"])(
  "the operator's page of %s alone shows its numbers, and no table because its data are core's",
  async (entry) => {
    const page = await pageOf(await start(entry, withCore()));
    expect([page.headings, page.empty]).toEqual([[], []]);
    expect(page.html).toContain("Answering over HTTP");
  },
);
