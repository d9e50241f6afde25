// `npm run cluster` and deploy/compose.yaml have one topology: each service runs as often and with the same settings, or is excluded by
// name.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, inject, onTestFinished } from "vitest";
import { MEMBER_PARAMETERS, SET_SETTINGS } from "../../core/operations/checkup/fail-over-rules.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../edge/http/server.ts";
import { isAlive } from "../../runtime/process/alive.ts";
import { type Deployment, readDeployment, readReplicaSet } from "../../scripts/testbed/compose.ts";
import { placeOf } from "../../scripts/testbed/place.ts";
import { type Plan, planCluster } from "../../scripts/testbed/plan.ts";
import type { Programs } from "../../scripts/testbed/programs.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-cluster-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ports = {
  https: 443,
  redirect: 80,
  http: 8080,
  grpc: 50051,
  ops: 9464,
  redis: 6379,
  s3: 8333,
  mongo: [27017, 27018, 27019],
};
const place = placeOf(folder, { network: "127.7.7", ports });
const ALL: Programs = {
  mongod: "mongod",
  redis: "redis-server",
  versitygw: "versitygw",
  caddy: "caddy",
};
const NONE: Programs = { ...ALL, redis: undefined, versitygw: undefined, caddy: undefined };
const deployment = readDeployment();
const plan = (programs: Programs, of: Deployment = deployment): Plan =>
  planCluster({ deployment: of, programs, place, settings: { ATELIER_MAIL_FROM: "a@example.com" } });

test.each([
  ["all programs", ALL, ["prometheus", "grafana"]],
  ["none of them", NONE, ["prometheus", "grafana", "redis", "files", "bucket"]],
])(
  "with %s every service of compose runs in the same number, or is excluded by name",
  (_, programs, leftOut) => {
    const made = plan(programs);
    expect(made.leftOut.map(({ service }) => service)).toEqual(leftOut);
    for (const [name, { deploy, restart, profiles }] of Object.entries(deployment.services)) {
      const times = [made.parts, made.jobs].map(
        (all) => all.filter(({ service }) => service === name).length,
      );
      const once = restart === "no" ? [0, 1] : [deploy?.replicas ?? 1, 0];
      // A service with a profile is started by a command, like the backup.
      const isElsewhere = profiles || leftOut.includes(name) || made.done.includes(name);
      expect([name, ...times]).toEqual([name, ...(isElsewhere ? [0, 0] : once)]);
    }
    expect(made.done).toEqual(programs === ALL ? ["mongo-set", "bucket"] : ["mongo-set"]);
  },
);

test("two of each role run, and three members of the replica set", () => {
  const services = plan(ALL).parts.map(({ service }) => service);
  const count = (name: string) => services.filter((service) => service.startsWith(name)).length;
  expect(["core", "worker", "gateway", "mcp", "mongo"].map(count)).toEqual([2, 2, 2, 2, 3]);
});

test.each([
  ["all programs", ALL],
  ["none of them", NONE],
])(
  "with %s each process has every setting of its container, or the setting is excluded by name",
  (_, programs) => {
    const { parts, jobs, leftOut } = plan(programs);
    const gone = leftOut.flatMap(({ settings }) => settings);
    for (const { name, service, env } of [...parts, ...jobs]) {
      const { environment = {} } = deployment.services[service] ?? {};
      const said = service.startsWith("mongo") || !/^(core|worker|gateway|mcp|migrate)$/.test(service);
      const wanted = { ...(said ? {} : deployment.imageEnv), ...environment };
      for (const variable of Object.keys(wanted))
        expect(variable in env !== gone.includes(variable), `${variable} of ${name}`).toBe(true);
    }
    // No option refers to the containers' network.
    expect(JSON.stringify([...parts, ...jobs])).not.toMatch(
      /run\/secrets|redis:6379|files:8333|core:50051|0\.0\.0\.0/,
    );
    expect(parts.filter(({ env }) => env["NODE_ENV"] === "production")).toHaveLength(8);
  },
);

test("mongod and Redis get the options of compose", () => {
  const { parts } = plan(ALL);
  const commandOf = (name: string) => parts.find((part) => part.name === name)?.args.join(" ") ?? "";
  const wanted = {
    mongo2: [
      "--replSet atelier",
      "--keyFile",
      "transactionLifetimeLimitSeconds=5",
      ...Object.entries(MEMBER_PARAMETERS).map(([name, value]) => `--setParameter ${name}=${value}`),
      "--port 27018",
      "mongod-watch.sh 27018 $$ &",
    ],
    "redis-1": ["--save", "--appendonly no", "--maxmemory 128mb", "--maxmemory-policy volatile-ttl"],
  };
  for (const [name, options] of Object.entries(wanted))
    for (const option of options) expect(commandOf(name)).toContain(option);
  const redis = deployment.services["redis"]?.command?.slice(1) ?? [];
  expect(commandOf("redis-1").startsWith(redis.join(" "))).toBe(true);
});

test("a service or command without a counterpart is refused by name", () => {
  const more = { ...deployment, services: { ...deployment.services, search: { image: "search:1" } } };
  expect(() => plan(ALL, more)).toThrow("compose.yaml has a service that has no counterpart here: search");
  const other = { ...deployment.services["mongo1"], command: ["exec mongod"] };
  expect(() => plan(ALL, { ...deployment, services: { mongo1: other } })).toThrow(
    "compose.yaml no longer says",
  );
});

test("the replica set is that of mongo-set.js, with its user", () => {
  const passwordFile = place.write("password", "pass");
  const { config, user } = readReplicaSet(passwordFile);
  expect(config.members).toHaveLength(3);
  expect(config.settings).toEqual(SET_SETTINGS);
  expect(user).toMatchObject({ user: "atelier", pwd: "pass" });
});

test.for(["Caddyfile", "systemd/Caddyfile"])(
  "only pages are compressed by %s: Caddy before 2.7.6 passes on half of a compressed response as if it were whole",
  (file) => {
    const text = readFileSync(fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url)), "utf8");
    const encoders = [...text.matchAll(/^\tencode (.*(?:\n\t\t.*)*)/gm)].map(([, how = ""]) => how.trim());
    expect(encoders).toEqual([expect.stringMatching(/\{\s+match header Content-Type text\/html\*$/)]);
  },
);

test.for(["Caddyfile", "systemd/Caddyfile"])(
  "%s closes idle connections to the service before the service does, which would cost a POST a 502",
  (file) => {
    const text = readFileSync(fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url)), "utf8");
    const kept = [...text.matchAll(/^\t\tkeepalive (\d+)s$/gm)].map(([, seconds]) => Number(seconds) * 1000);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toBeLessThan(KEEP_ALIVE_TIMEOUT_MS);
    // Both kinds of servers are reached with these settings.
    expect(text.match(/reverse_proxy .* \{\n\t+import followed\n/g)).toHaveLength(2);
  },
);

test("the Caddyfile names as many gateways and tool servers as compose runs", () => {
  const text = readFileSync(fileURLToPath(new URL("../../deploy/Caddyfile", import.meta.url)), "utf8");
  for (const name of ["gateway", "mcp"]) {
    const named = [...text.matchAll(new RegExp(`atelier-${name}-(\\d+):8080`, "g"))].map(([, n]) =>
      Number(n),
    );
    const { replicas = 0 } = deployment.services[name]?.deploy ?? {};
    expect(named).toEqual(Array.from({ length: replicas }, (_, n) => n + 1));
  }
});

// A started cluster: every part answers, killed processes restart, and no process outlives it. Thorough only: `npm test --
// test/deploy/cluster.test.ts --mode thorough`.
const CLUSTER = fileURLToPath(new URL("../../scripts/cluster.ts", import.meta.url));
const UP_BOUND_MS = 300_000;

type Started = {
  child: ChildProcess;
  output(): string;
  parts: Map<string, { pid: number; address: string }>;
};

async function startCluster(args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [CLUSTER, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  onTestFinished(() => void child.kill("SIGTERM"));
  await waitFor(
    "the cluster",
    () => output.includes("Ctrl-C ends it") || (child.exitCode !== null && "ended"),
    UP_BOUND_MS,
  );
  const lines = [...output.matchAll(/^ {2}(\S+-\d|mongo\d) +(\d+) {2}(\S+)$/gm)];
  const parts = new Map(
    lines.map(([, name = "", pid, address = ""]) => [name, { pid: Number(pid), address }]),
  );
  return { child, output: () => output, parts };
}

test.runIf(inject("isThorough"))(
  "a killed core restarts, and a cluster killed with -9 leaves no process behind, frozen or not",
  async () => {
    const { child, parts, output } = await startCluster([]);
    expect([...parts.keys()], output()).toEqual(
      expect.arrayContaining(["mongo3", "core-2", "worker-2", "gateway-2", "mcp-2", "caddy-1"]),
    );
    const pids = [...parts.values()].map(({ pid }) => pid);
    expect(pids.every(isAlive)).toBe(true);

    const core = parts.get("core-1");
    process.kill(core?.pid ?? 0, "SIGKILL");
    const ops = /:(\d+)$/.exec(parts.get("worker-1")?.address ?? "")?.[1];
    const readyz = `http://${core?.address.split(":")[0]}:${ops}/readyz`;
    await waitFor("another core in its place", async () => (await fetch(readyz)).ok, UP_BOUND_MS);

    process.kill(parts.get("mongo2")?.pid ?? 0, "SIGSTOP");
    child.kill("SIGKILL");
    await waitFor("every process to end", () => !pids.some(isAlive), UP_BOUND_MS);
    await expect(fetch(readyz)).rejects.toThrow("fetch failed");
  },
  900_000,
);

test.runIf(inject("isThorough"))(
  "a cluster without Caddy and Redis works, runs a command, exits with its code, and removes its data",
  async () => {
    const ask =
      "curl -sf --cacert $NODE_EXTRA_CA_CERTS $CLUSTER_URL/api/catalog | grep -c data && echo FOLDER=$CLUSTER_FOLDER; exit 7";
    const { child, output, parts } = await startCluster(["--without", "caddy,redis", "--then", ask]);
    expect(output()).toMatch(/redis +left out/);
    await waitFor("its end", () => child.exitCode !== null, UP_BOUND_MS);
    expect([child.exitCode, [...parts.values()].some(({ pid }) => isAlive(pid))]).toEqual([7, false]);
    const [, folder = ""] = /FOLDER=(\S+)/.exec(output()) ?? [];
    expect(folder).not.toBe("");
    expect(existsSync(folder)).toBe(false);
  },
  900_000,
);
