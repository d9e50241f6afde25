// `npm start` for its operator: one command, one clear line for each error, no lost data and no processes left behind.
import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import {
  processesWith,
  type ServiceProcess,
  startEntry,
  startService,
} from "../../scripts/testbed/processes.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

type Demo = {
  base_url: string;
  generation_key: string;
  read_key: string;
  callback_secret: string;
  sign_in_url: string;
};

const folder = useFolder();
let dataDir: string;
let service: ServiceProcess;

const start = () => startService({ ATELIER_DATA_DIR: dataDir });
const demo = () => JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Demo;
const mongodPids = () => processesWith(join(dataDir, "mongo"));

/** Status of a call with the demo key; 0 without a response. */
async function call(path: string, init: RequestInit = {}): Promise<{ status: number; body: string }> {
  const { base_url, generation_key } = demo();
  try {
    const headers = { authorization: `Bearer ${generation_key}`, ...init.headers };
    const response = await fetch(base_url + path, { ...init, headers });
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: "" };
  }
}

beforeAll(async () => {
  dataDir = folder("data");
  service = await start();
});

afterAll(() => service.stop());

test("the printed curl command works when pasted", async () => {
  const line = /curl -s (\S+) -H 'authorization: (.+?)' -H 'content-type: (.+?)' -d '(.+?)'/.exec(
    service.stdout(),
  );
  const [, url = "", authorization = "", contentType = "", body = ""] = line ?? [];
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization, "content-type": contentType },
    body,
  });
  expect(response.status).toBe(202);
});

test("a first start prints no warning", () => {
  expect(service.stdout()).not.toMatch(/^(warning|error):/m);
});

test("demo.json contains what a client needs, readable by its owner only", () => {
  expect(statSync(join(dataDir, "demo.json")).mode & 0o777).toBe(0o600);
  expect(demo()).toEqual({
    base_url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    generation_base_url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    generation_key: expect.stringMatching(/^atl_gen_/),
    read_key: expect.stringMatching(/^atl_gen_/),
    member_key: expect.stringMatching(/^atl_mem_/),
    callback_secret: expect.stringMatching(/^whsec_/),
    sign_in_url: expect.stringMatching(/^http:\/\/localhost:\d+\/sign-in\/confirm\?token=[\w-]{43}$/),
  });
});

test("the printed link signs in to the demonstration account", async () => {
  const url = new URL(/^ {2}sign in +(\S+)$/m.exec(service.stdout())?.[1] ?? "");
  expect(url.href).toBe(demo().sign_in_url);
  const confirmed = await fetch(`${url.origin}${url.pathname}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ token: url.searchParams.get("token") ?? "", other_browser: "yes" }),
  });
  const [cookie = ""] = confirmed.headers.get("set-cookie")?.split(";") ?? [];
  const me = await fetch(`${url.origin}/account/api/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ result: { email: "demo@atelier.test", plan: "pro" } });
});

test("the operations port reports ready", async () => {
  const url = /operations\s+(\S+)/.exec(service.stdout())?.[1] ?? "";
  const response = await fetch(`${url}/readyz`);
  expect(await response.json()).toEqual({ ready: true, not_ready: [] });
});

test("a mail is printed with recipient, subject and link; the terminal has no JSON, and the log file everything, readable by its owner only", async () => {
  const link = `${demo().base_url}/support/`;
  await waitFor("the mail of the demonstration's ticket", () =>
    /^mail to demo@atelier\.test: Your ticket: .+\n {2}(\S+)$/m.exec(service.stdout())?.[1]?.startsWith(link),
  );
  expect(service.stdout()).not.toMatch(/^\{|Support has answered you/m);
  const file = /^ {2}log +(\S+)$/m.exec(service.stdout())?.[1] ?? "";
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const mails = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "mail that would be sent");
  expect(mails[0]).toMatchObject({
    to: "demo@atelier.test",
    text: expect.stringContaining("Support has answered you"),
  });
});

test("a second start prints the first one's pid and URL in one line and exits with 1", async () => {
  const second = startEntry("scripts/start.ts", { ATELIER_DATA_DIR: dataDir });
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toBe(
    `Atelier is already running (pid ${service.pid}, ${demo().base_url}) on the data folder ${dataDir}. ` +
      "Stop it, or set ATELIER_DATA_DIR to another folder.\n",
  );
  expect(second.stdout()).toBe("");
});

test("a taken port is reported in one line with the setting to change", async () => {
  const ports = [
    ["HTTP", "ATELIER_HTTP_PORT"],
    ["gRPC", "ATELIER_GRPC_PORT"],
    ["operations", "ATELIER_OPS_PORT"],
    ["embedded MongoDB", "ATELIER_MONGO_PORT"],
  ] as const;
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const lines = await Promise.all(
    ports.map(async ([, variable]) => {
      const env = { ATELIER_DATA_DIR: folder(variable), [variable]: String(port) };
      const second = startEntry("scripts/start.ts", env);
      expect(await second.ended).toBe(1);
      return second.stderr();
    }),
  );
  expect(lines).toEqual(
    ports.map(
      ([what, variable]) =>
        `Port ${port} (${what}) is taken by another process. Stop it, or set ${variable} to another port.\n`,
    ),
  );
  for (const [, variable] of ports) expect(processesWith(folder(variable))).toEqual([]);
  taken.close();
});

test("an invalid setting and a silent database are reported in one line each", async () => {
  const wrong = startEntry("scripts/start.ts", {
    ATELIER_DATA_DIR: folder("wrong"),
    ATELIER_ROLES: "cook",
  });
  const away = startEntry("scripts/start.ts", {
    ATELIER_DATA_DIR: folder("away"),
    MONGODB_URI: "mongodb://127.0.0.1:1/",
  });
  expect([await wrong.ended, await away.ended]).toEqual([1, 1]);
  expect(wrong.stderr()).toMatch(/^The configuration cannot be used\. ATELIER_ROLES: .*\n$/);
  expect(away.stderr()).toMatch(/^MongoDB cannot be used: .*\n$/);
});

test.each([
  { where: "in a private folder of its user", kept: ".cache/compiled", env: {} },
  { where: "where NODE_COMPILE_CACHE says", kept: "named", env: { NODE_COMPILE_CACHE: "named" } },
])("compiled code is cached $where", ({ kept, env }) => {
  const project = folder(`compiling-${kept === "named"}`);
  expectStart(project, env);
  const made = join(project, kept);
  const [version = ""] = readdirSync(made);
  expect(readdirSync(join(made, version))).not.toEqual([]);
  if (kept === "named") expect(existsSync(join(project, ".cache"))).toBe(false);
  else expect(statSync(made).mode & 0o077).toBe(0);
});

test("a process starts without a writable cache", () => {
  const project = folder("compiling-nowhere");
  mkdirSync(project);
  writeFileSync(join(project, ".cache"), "a file");
  expectStart(project, {});
});

test("a start loads no packages that only some calls and installations need", () => {
  const parts = ["data.ts", "edges.ts"].map(
    (name) => new URL(`../../scripts/start/${name}`, import.meta.url),
  );
  const listLoaded = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    for (const part of ${JSON.stringify(parts)}) await import(part);
    console.log(loaded.flatMap((url) => url.match(/(?<=node_modules.)(@[^/]+.)?[^/]+/)?.[0] ?? []).join());
    process.exit();`;
  const run = ["--input-type=module", "--eval", listLoaded];
  const packages = new Set(execFileSync(process.execPath, run, { encoding: "utf8" }).trim().split(","));
  expect([...packages]).toEqual(expect.arrayContaining(["mongodb", "fastify", "zod"]));
  expect(["sharp", "nodemailer", "ioredis", "stripe", "ai"].filter((name) => packages.has(name))).toEqual([]);
});

/** Runs a TypeScript entry as `npm start` runs its own. */
function expectStart(project: string, env: Record<string, string>): void {
  mkdirSync(join(project, "scripts"), { recursive: true });
  copyFileSync(new URL("../../scripts/compiled.js", import.meta.url), join(project, "scripts/compiled.js"));
  writeFileSync(
    join(project, "scripts/entry.ts"),
    "const started: string = 'started'; console.log(started);",
  );
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const flags = ["--import=./scripts/compiled.js", "scripts/entry.ts"];
  expect(execFileSync(process.execPath, flags, { cwd: project, env, encoding: "utf8" })).toBe("started\n");
}

test("a process logs when each part was ready: the database starts while code is loaded", async () => {
  const operations = /operations\s+(\S+)/.exec(service.stdout())?.[1] ?? "";
  const text = await (await fetch(`${operations}/metrics`)).text();
  const parts = [...text.matchAll(/^atelier_start_seconds\{part="([^"]+)"\} (\S+)$/gm)];
  const seconds = Object.fromEntries(parts.map(([, part = "", value]) => [part, Number(value)]));
  expect(Object.keys(seconds).sort()).toEqual([
    "code of core and worker",
    "core and worker",
    "database",
    "gateway and mcp",
  ]);
  expect(seconds["core and worker"]).toBeGreaterThan(seconds["database"] ?? Infinity);
  expect(seconds["gateway and mcp"]).toBeGreaterThan(seconds["core and worker"] ?? Infinity);
});

test("readiness is reported only once all roles listen", async () => {
  const opsPort = await freePort();
  const late = startEntry("scripts/start.ts", {
    ATELIER_DATA_DIR: folder("late"),
    ATELIER_OPS_PORT: String(opsPort),
    ATELIER_DEMO_PRODUCTS: "10",
  });
  const before: unknown[] = [];
  const readyz = async () => {
    try {
      const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      return { status: response.status, body: (await response.json()) as { not_ready: string[] } };
    } catch {
      return undefined;
    }
  };
  await waitFor("it to be ready", async () => {
    const answer = await readyz();
    if (answer?.status === 503) before.push(...answer.body.not_ready);
    if (answer?.status !== 200) return false;
    const base = (JSON.parse(readFileSync(folder("late", "demo.json"), "utf8")) as Demo).base_url;
    // The next request is answered.
    expect((await fetch(`${base}/api/plans`)).status).not.toBe(503);
    return true;
  });
  expect(before).toContain("started");
  expect(await late.stop()).toBe(0);
});

describe("roles as separate processes", () => {
  let core: ServiceProcess;
  let worker: ServiceProcess;
  let edges: ServiceProcess[];
  let probes: string[];

  beforeAll(async () => {
    const grpcPort = String(await freePort());
    const opsPorts = [await freePort(), await freePort(), await freePort()].map(String);
    const env = { ATELIER_DATA_DIR: folder("apart"), ATELIER_GRPC_PORT: grpcPort };
    const data = { MONGODB_URI: inject("mongodUri"), ATELIER_MONGO_DATABASE: `test_${randomUUID()}` };
    core = startEntry("core/entry/main.ts", { ...env, ...data });
    await core.until("core to be up", () => core.stdout().includes("core is up"));
    worker = startEntry("core/entry/worker.ts", { ...env, ...data });
    // The last one runs next to a core with the gRPC port, and does not need it.
    edges = ["gateway/main.ts", "mcp/main.ts", "scripts/start.ts"].map((entry, n) =>
      startEntry(entry, {
        ...env,
        ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
        ATELIER_ROLES: "gateway,mcp",
        ATELIER_OPS_PORT: opsPorts[n] ?? "",
      }),
    );
    probes = opsPorts.map((port) => `http://127.0.0.1:${port}`);
  });

  test("core and worker report ready", async () => {
    await worker.until("the worker to be up", () => worker.stdout().includes("worker is up"));
    expect(await worker.stop()).toBe(0);
  });

  test("gateway and tool endpoint reach core, as separate processes and in one", async () => {
    const addresses = await Promise.all(
      edges.map((edge) =>
        waitFor("its address", () => /(?:listening at |website +)(http:[^"\s]+)/.exec(edge.stdout())?.[1]),
      ),
    );
    const [gateway, mcp, both] = addresses;
    const headers = { "content-type": "application/json" };
    const textOf = async (url: string, init: RequestInit = {}) =>
      (await fetch(url, { headers, ...init })).text();
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_catalog", arguments: {} },
    };
    const search = { method: "POST", body: JSON.stringify(call) };
    const found = [
      await textOf(`${gateway}/api/catalog`),
      await textOf(`${mcp}/mcp`, search),
      await textOf(`${both}/api/catalog`),
      await textOf(`${both}/mcp`, search),
    ];
    // Only core knows them.
    expect(found).toEqual(found.map(() => expect.stringMatching(/total.{1,4}0/)));
  });

  test("gateways and tool endpoints stay ready for a balancer that excludes core while core is stopped", async () => {
    const ask = async (question: string) => {
      const responses = await Promise.all(probes.map((url) => fetch(`${url}/readyz${question}`)));
      return Promise.all(
        responses.map(async (one) => [one.status, ((await one.json()) as { not_ready: string[] }).not_ready]),
      );
    };
    await waitFor("all to be ready", async () => (await ask("")).every(([status]) => status === 200));
    expect(await core.stop()).toBe(0);
    await waitFor("all to miss core", async () => (await ask("")).every(([status]) => status === 503));
    expect(await ask("")).toEqual(Array.from(probes, () => [503, ["core"]]));
    expect(await ask("?exclude=core")).toEqual(Array.from(probes, () => [200, []]));
    expect(await Promise.all(edges.map(({ stop }) => stop()))).toEqual([0, 0, 0]);
  });
});

test("core alone and production need a database, and roles without data need none", async () => {
  const lost = startEntry("core/entry/main.ts", { ATELIER_DATA_DIR: folder("lost") });
  expect(await lost.ended).toBe(1);
  expect(lost.stderr()).toBe("MONGODB_URI is not set: core on its own embeds no database.\n");

  const env = {
    NODE_ENV: "production",
    ATELIER_DATA_DIR: folder("production"),
    ATELIER_SECRET: randomBytes(32).toString("base64"),
    ATELIER_BASE_URL: "https://atelier.example",
  };
  const all = startEntry("scripts/start.ts", env);
  expect(await all.ended).toBe(1);
  expect(all.stderr()).toBe("MONGODB_URI is not set: what is embedded is for development.\n");
  expect(existsSync(env.ATELIER_DATA_DIR)).toBe(false);

  const gateway = startEntry("gateway/main.ts", env);
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr()).toMatch(/^ATELIER_SERVICE_KEY/);
});

test("a crashed mongod restarts: one log line, the service answers again and no data are lost", async () => {
  const before = await call("/api/jobs");
  expect(before.status).toBe(200);
  const [pid = 0] = mongodPids().filter((each) => each !== guardPid());
  process.kill(pid, "SIGKILL");
  await waitFor("the line", () => service.stdout().includes("mongod is back"));
  await waitFor("an answer", async () => (await call("/api/jobs")).status === 200);
  expect(idsOf((await call("/api/jobs")).body)).toEqual(idsOf(before.body));
  expect(service.stdout().match(/mongod ended unexpectedly/g)).toHaveLength(1);
});

test("Ctrl-C exits with 0 and leaves no process behind; the next start has the same data and keys", async () => {
  const key = demo().generation_key;
  const jobs = idsOf((await call("/api/jobs")).body);
  void service.signal("SIGINT");
  expect(await service.ended).toBe(0);
  expect(processesWith(dataDir)).toEqual([]);

  service = await start();
  expect(demo().generation_key).toBe(key);
  expect(idsOf((await call("/api/jobs")).body)).toEqual(jobs);
});

test("kill -9 leaves no process behind either, and the next start takes the folder over", async () => {
  await service.signal("SIGKILL");
  await waitFor("mongod to end", () => processesWith(dataDir).length === 0);
  service = await start();
  expect((await call("/api/jobs")).status).toBe(200);
});

function guardPid(): number {
  return processesWith("mongod-guard.ts").find((pid) => mongodPids().includes(pid)) ?? 0;
}

function idsOf(body: string): string[] {
  return body.match(/job_[0-9A-Z]{26}/g) ?? [];
}

test("an entry writes nothing to a remote database while NODE_ENV is unset, and prints one line", async () => {
  const env = {
    NODE_ENV: "",
    MONGODB_URI: "mongodb://db.invalid/",
    ATELIER_DATA_DIR: folder("elsewhere"),
  };
  const entries = ["main", "worker", "upgrade", "backup", "restore"].map((name) => `core/entry/${name}.ts`);
  await Promise.all(
    ["scripts/start.ts", ...entries].map(async (entry) => {
      const refused = startEntry(entry, env);
      expect([entry, await refused.ended]).toEqual([entry, 1]);
      expect(refused.stderr()).toContain("MONGODB_URI: not on this machine, and NODE_ENV is not production");
      expect(refused.stderr().trim()).not.toContain("\n");
    }),
  );
  expect(existsSync(env.ATELIER_DATA_DIR)).toBe(false);
});
