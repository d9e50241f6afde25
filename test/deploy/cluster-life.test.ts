// A started cluster: every part answers, killed processes restart, and no process outlives it. Thorough only: `npm test --
// test/deploy/cluster-life.test.ts --mode thorough`.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { isAlive } from "../../runtime/process/alive.ts";
import { waitFor } from "../support/wait-for.ts";

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
