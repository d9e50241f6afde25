// Alerts and dashboards query exported metrics, every alert has its chapter, and it fires on its condition.
import { spawnSync, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MongoClient } from "mongodb";
import { expect, test, onTestFinished } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { freePort } from "../../runtime/process/free-port.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROMETHEUS = join(ROOT, "deploy/prometheus");
const DASHBOARDS = join(ROOT, "deploy/grafana/dashboards");

type Rule = { alert?: string; record?: string; expr: string; annotations?: { runbook?: string } };
const rules = (
  parse(readFileSync(join(PROMETHEUS, "rules.yaml"), "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const boards = readdirSync(DASHBOARDS).filter((file) => file.endsWith(".json"));
const panels = boards.flatMap((file) => {
  const board = JSON.parse(readFileSync(join(DASHBOARDS, file), "utf8")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  return board.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr })),
  );
});

/** The metrics of the sources, by their scraped names. */
const exported = new Set(
  ["core", "edge", "gateway", "mcp", "runtime"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const source = readFileSync(join(ROOT, folder, file), "utf8");
        return [...source.matchAll(/\b(counter|gauges?|duration)\(\s*"([a-z_]+)"/g)].map(
          ([, kind, name]) => `atelier_${name}${kind === "duration" ? "_seconds" : ""}`,
        );
      }),
  ),
);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const handbook = readFileSync(join(ROOT, "docs/operations/monitoring.md"), "utf8");

/** Queried metrics that no source exports. */
function unknown(query: string): string[] {
  const asked = [...query.matchAll(/\batelier[_:][a-z0-9_:]+/g)].map(([name]) => name);
  return asked.filter(
    (name) =>
      !recorded.has(name) && !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, "")),
  );
}

test("rules and dashboards query only exported metrics, and the handbook lists all of these", () => {
  expect(exported.size).toBeGreaterThan(40);
  expect(panels.length).toBeGreaterThan(60);
  const wrong = [
    ...rules.map(({ alert, record, expr }) => ({ where: alert ?? record, expr })),
    ...panels,
  ].flatMap(({ where, expr }) => unknown(expr).map((name) => `${where}: ${name}`));
  expect(wrong).toEqual([]);
  expect([...exported].filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  // An unknown metric would be found.
  expect(unknown("rate(atelier_jobs_endet_total[5m]) / atelier:slo_erors:ratio5m")).toEqual([
    "atelier_jobs_endet_total",
    "atelier:slo_erors:ratio5m",
  ]);
});

test("every alert has a test that fires it, one that does not, and a chapter of the runbook", () => {
  const runbook = readFileSync(join(ROOT, "docs/operations/runbook.md"), "utf8");
  const chapters = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  type Raised = { alertname: string; exp_alerts: unknown[] };
  const tried = ["rules.test.yaml", "slow.test.yaml"].flatMap((file) =>
    (
      parse(readFileSync(join(PROMETHEUS, file), "utf8"), { merge: true }) as {
        tests: { alert_rule_test: Raised[] }[];
      }
    ).tests.flatMap((one) => one.alert_rule_test),
  );
  const alerts = rules.flatMap(({ alert, annotations }) => (alert ? [{ alert, annotations }] : []));
  expect(alerts.length).toBeGreaterThan(12);
  for (const { alert, annotations } of alerts) {
    expect(chapters, alert).toContain(annotations?.runbook);
    const own = tried.filter(({ alertname }) => alertname === alert);
    expect(
      own.some(({ exp_alerts: raised }) => raised.length > 0),
      `${alert} is raised`,
    ).toBe(true);
    expect(
      own.some(({ exp_alerts: raised }) => raised.length === 0),
      `${alert} is silent`,
    ).toBe(true);
  }
});

const promtool = spawnSync("promtool", ["--version"]).status === 0;
test.runIf(promtool)("alerts fire on their condition and are silent otherwise", () => {
  const files = ["rules.test.yaml", "slow.test.yaml"].map((file) => join(PROMETHEUS, file));
  const run = spawnSync("promtool", ["test", "rules", ...files], { encoding: "utf8" });
  expect(run.stdout + run.stderr).toContain("SUCCESS");
  expect(run.status).toBe(0);
});

// deploy/mongod-watch.sh against real processes: it ends a frozen mongod, and none that answers, starts or uses TLS.
const WATCH = fileURLToPath(new URL("../../deploy/mongod-watch.sh", import.meta.url));
const SILENT = 1;

async function startBareMongod(): Promise<{ port: number; mongod: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-watch-"));
  mkdirSync(join(folder, "db"));
  const port = await freePort();
  const binary = await findMongod({ path: loadConfig().mongodPath, say: () => {} });
  const options = [
    ["--dbpath", join(folder, "db"), "--logpath", join(folder, "log"), "--port", String(port)],
    ["--bind_ip", "127.0.0.1", "--nounixsocket", "--wiredTigerCacheSizeGB", "0.25"],
  ];
  const mongod = spawn(binary, options.flat(), { stdio: "ignore" });
  onTestFinished(async () => {
    if (mongod.exitCode === null && mongod.signalCode === null) {
      mongod.kill("SIGKILL");
      await once(mongod, "exit");
    }
    rmSync(folder, { recursive: true });
  });
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.connect();
  await client.close();
  return { port, mongod };
}

function askOnce(port: number): number | null {
  return spawnSync("bash", [WATCH, String(port)]).status;
}

test("a frozen mongod is ended after three pings, and a responsive one is not", async () => {
  const { port, mongod } = await startBareMongod();
  expect(askOnce(port)).toBe(0);
  const watch = spawn("bash", [WATCH, String(port), String(mongod.pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void watch.kill("SIGKILL"));
  let said = "";
  watch.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(watch, "exit");
  mongod.kill("SIGSTOP");
  const [, signal] = (await once(mongod, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  expect(said).toContain(`mongod on port ${port} has not answered three times in a row`);
  // No process is left to watch.
  await ended;
});

test("a probe reports only a server that accepts a connection and does not answer", async () => {
  expect(askOnce(await freePort())).toBe(0);
  const listen = async (onConnection: (end: () => void) => void): Promise<number> => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      onTestFinished(() => void socket.destroy());
      socket.once("data", () => onConnection(() => socket.destroy()));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const probe = async (port: number) => {
    const [code] = (await once(spawn("bash", [WATCH, String(port)]), "exit")) as [number | null];
    return code;
  };
  expect(await probe(await listen(() => {}))).toBe(SILENT);
  // Like a server that expects TLS.
  expect(await probe(await listen((end) => end()))).toBe(0);
});

test("the watch of a process ends with it", async () => {
  const sleeper = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const watch = spawn("bash", [WATCH, String(await freePort()), String(sleeper.pid)]);
  onTestFinished(() => void watch.kill("SIGKILL"));
  const ended = once(watch, "exit");
  sleeper.kill("SIGKILL");
  expect(await ended).toEqual([0, null]);
});
