// Runs compose.yaml's services from the image in production: user, writable paths and health check; then the demo, a tool call, the audit,
// and the end of all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROLES } from "../../../runtime/config/config-keys.ts";
import { demoFile } from "../../start/seed.ts";
import type { Cluster, Member } from "../cluster.ts";
import type { Part } from "../plan.ts";
import { IMAGE_USER } from "./container.ts";

const DEMO = fileURLToPath(new URL("../../demo.ts", import.meta.url));
/** The grace period in compose.yaml. */
const STOP_BOUND_MS = 60_000;
const NONE = /^0+$/;

/** The cluster has started in containers, with the demonstration account. */
export async function checkCluster(cluster: Cluster): Promise<void> {
  const own = ROLES.flatMap(cluster.of);
  try {
    for (const member of own) checkProcesses(member);
    await checkHealth(cluster);
    await checkWrites(cluster);
    await runDemo(cluster);
    await callTool(cluster);
    console.log(`  ${await cluster.runJob(operators(cluster, "audit"))}`);
  } finally {
    for (const member of own.toReversed()) await stop(member);
  }
}

function checkProcesses({ part: { name }, process: { pid } }: Member): void {
  const processes = nodesOf(pid);
  if (processes.length === 0) throw new Error(`no node runs in the container of ${name}`);
  for (const one of processes) assertIsImageUser(name, one);
  const memory = processes.reduce((sum, { memoryKb }) => sum + memoryKb, 0) / 1024;
  console.log(`  ${name.padEnd(9)} ${memory.toFixed(0)} MiB, as ${IMAGE_USER}, without capabilities`);
}

/** The container's processes, without the program that runs the container. */
function nodesOf(pid: number): Process[] {
  return processesOf(pid).filter(({ program }) => program.endsWith("/node"));
}

function assertIsImageUser(name: string, { users, capabilities }: Process): void {
  if (users.some((user) => user !== IMAGE_USER)) throw new Error(`${name} runs as ${users.join(", ")}`);
  if (!capabilities.every((set) => NONE.test(set))) throw new Error(`${name} may ${capabilities.join(", ")}`);
}

/** Another command with the settings of a service. */
function command(
  cluster: Cluster,
  service: string,
  name: string,
  args: Part["args"],
  env: Part["env"],
): Part {
  const [member] = cluster.of(service);
  if (!member) throw new Error(`no ${service} runs`);
  return { name, service, command: "node", args, env: { ...member.part.env, ...env }, address: "" };
}

async function checkHealth(cluster: Cluster): Promise<void> {
  const ask = (name: string, env: Part["env"]) =>
    cluster.runJob(command(cluster, "core", name, ["deploy/healthy.js"], env));
  await ask("healthy", {});
  const refused = await ask("unhealthy", { ATELIER_OPS_PORT: "9" }).catch(() => undefined);
  if (refused !== undefined) throw new Error("the health check passes on a port without a listener");
  console.log("  health: 0 with a core, 1 without one");
}

/** Tests writing everywhere except /tmp as the image's own user. */
const TRY_TO_WRITE = `
  import { writeFileSync, readdirSync } from "node:fs";
  const tried = ["/", "/opt/atelier", "/opt/atelier/core", "/etc", "/var", "/usr/local/bin", "/root", "/tmp"];
  const answers = tried.map((folder) => {
    try { writeFileSync(folder + "/written", ""); return folder + " written"; } catch (error) { return folder + " " + error.code; }
  });
  console.log(answers.join(", "));
`;

async function checkWrites(cluster: Cluster): Promise<void> {
  const args = ["--input-type=module", "--eval", TRY_TO_WRITE];
  const said = await cluster.runJob(command(cluster, "core", "writing", args, {}));
  if (said.match(/\S+ written/g)?.join() !== "/tmp written") throw new Error(`it could write: ${said}`);
  console.log(`  ${said}`);
}

async function runDemo({ folder, ca }: Cluster): Promise<void> {
  const env = { ATELIER_DATA_DIR: folder, NODE_EXTRA_CA_CERTS: ca, NODE_ENV: "development" };
  const child = spawn(process.execPath, [DEMO, `${folder}/demo`], {
    // oxlint-disable-next-line node/no-process-env -- passed on unchanged
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || !output.includes("it was running already"))
    throw new Error(`the demo failed:\n${output}`);
  const lines = output.trim().split("\n");
  console.log(`  demo: ${lines.length} lines; its last:`);
  for (const line of lines.slice(-2)) console.log(`            ${line.trim()}`);
}

async function callTool({ url, folder }: Cluster): Promise<void> {
  const { member_key } = JSON.parse(readFileSync(demoFile(folder), "utf8")) as { member_key: string };
  const answer = await fetch(`${url}/api/member/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${member_key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await answer.json()) as { result?: { tools: unknown[] } };
  if (!result) throw new Error(`the tool endpoint answered ${answer.status}`);
  console.log(`  tools: ${result.tools.length} at /api/member/mcp`);
}

/** An operator's command, with the settings of a core client. */
function operators(cluster: Cluster, ...words: string[]): Part {
  const key = cluster.of("gateway")[0]?.part.env["ATELIER_SERVICE_KEY_FILE"] ?? "";
  const env = { ATELIER_SERVICE_KEY_FILE: key.replace("gateway-key", "cli-key") };
  return command(cluster, "gateway", words.join(" "), ["cli/atelier.ts", ...words], env);
}

/** By SIGTERM, like an engine, and by SIGKILL after the grace period. */
async function stop(member: Member): Promise<void> {
  const { part, process: running } = member;
  member.isWanted = false;
  const end = (signal: NodeJS.Signals): void => {
    for (const { pid } of nodesOf(running.pid)) process.kill(pid, signal);
  };
  end("SIGTERM");
  const timer = setTimeout(() => end("SIGKILL"), STOP_BOUND_MS);
  const code = await running.ended;
  clearTimeout(timer);
  if (code !== 0) console.log(`  ${part.name} ended with ${code}: ${running.output()}`);
}

type Process = {
  readonly pid: number;
  /** The path of its program, as seen from here. */
  readonly program: string;
  /** Real, effective, saved and file system ids. */
  readonly users: readonly number[];
  /** Permitted and effective capabilities, both 0 where there are none. */
  readonly capabilities: readonly string[];
  readonly memoryKb: number;
};

/** A process and its descendants. */
function processesOf(pid: number): Process[] {
  const parents = new Map<number, number[]>();
  for (const one of readdirSync("/proc").map(Number).filter(Boolean)) {
    const parent = Number(read(one)?.get("PPid"));
    parents.set(parent, [...(parents.get(parent) ?? []), one]);
  }
  const all = [pid];
  for (const one of all) all.push(...(parents.get(one) ?? []));
  return all.flatMap((one) => {
    const status = read(one);
    return status ? [describe(one, status)] : [];
  });
}

function describe(pid: number, status: Map<string, string>): Process {
  return {
    pid,
    program: programOf(pid),
    users: (status.get("Uid") ?? "").split("\t").map(Number),
    capabilities: ["CapPrm", "CapEff"].map((set) => status.get(set) ?? ""),
    memoryKb: Number.parseInt(status.get("VmRSS") ?? "0", 10),
  };
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return "";
  }
}

/** Undefined when it has ended. */
function read(pid: number): Map<string, string> | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8").trim().split("\n");
    return new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
  } catch {
    return undefined;
  }
}
