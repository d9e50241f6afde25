// Runs every role from the image in production: startup time, user, writable paths and health check; then the demo, a tool call, the audit,
// and the end of all.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROLES } from "../../../runtime/config/config-keys.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { type Container, IMAGE_USER, type Order } from "./container.ts";
import type { Installation, Role } from "./installation.ts";
import { type Process, processesOf } from "./processes.ts";

const DEMO = fileURLToPath(new URL("../../demo.ts", import.meta.url));
const READY_BOUND_MS = 120_000;
/** The grace period in compose.yaml. */
const STOP_BOUND_MS = 60_000;
const NONE = /^0+$/;

type Running = {
  role: Role;
  child: ChildProcess;
  startedAtMs: number;
  ended: Promise<unknown>;
  output(): string;
};

export async function runFromImage(installation: Installation, container: Container): Promise<void> {
  const migrated = await runOnce(container, installation.order("migrate"));
  console.log(`  migrate   ${migrated.trim().split("\n").at(-1)}`);
  const running: Running[] = [];
  try {
    for (const role of ROLES) {
      const one = startRole(installation, container, role);
      running.push(one);
      await untilReady(installation, one);
    }
    await checkHealth(installation, container);
    await checkWrites(installation, container);
    await runDemo(installation);
    await callTool(installation);
    const audit = await runOnce(container, operators(installation, "audit"));
    console.log(`  audit     ${audit.trim().split("\n").at(-1)}`);
  } finally {
    for (const one of running.toReversed()) await stopRole(one);
  }
}

function startRole(installation: Installation, container: Container, role: Role): Running {
  const startedAtMs = performance.now();
  const child = container(installation.order(role));
  return { role, child, startedAtMs, ended: once(child, "exit"), output: outputOf(child) };
}

async function untilReady(
  installation: Installation,
  { role, child, startedAtMs, output }: Running,
): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    child.exitCode !== null || (await fetch(`http://127.0.0.1:${installation.opsPort(role)}/readyz`)).ok;
  await waitFor(`${role} to be ready`, isReady, READY_BOUND_MS);
  if (child.exitCode !== null) throw new Error(`${role} ended: ${output()}`);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const processes = nodesOf(child);
  for (const one of processes) assertIsNobody(role, one);
  const memory = processes.reduce((sum, { memoryKb }) => sum + memoryKb, 0) / 1024;
  console.log(
    `  ${role.padEnd(9)} ready after ${seconds} s, ${memory.toFixed(0)} MiB, as ${IMAGE_USER}, without capabilities`,
  );
}

/** The container's processes, without the program that runs the container. */
function nodesOf(child: ChildProcess): Process[] {
  const nodes = processesOf(child.pid ?? 0).filter(({ program }) => program.endsWith("/node"));
  if (nodes.length === 0) throw new Error("no node runs in the container");
  return nodes;
}

function assertIsNobody(role: Role, { users, capabilities }: Process): void {
  if (users.some((user) => user !== IMAGE_USER)) throw new Error(`${role} runs as ${users.join(", ")}`);
  if (!capabilities.every((set) => NONE.test(set))) throw new Error(`${role} may ${capabilities.join(", ")}`);
}

async function checkHealth(installation: Installation, container: Container): Promise<void> {
  const { env, files } = installation.order("core");
  await runOnce(container, { args: ["deploy/healthy.js"], env, files });
  const nobody = { ...env, ATELIER_OPS_PORT: "9" };
  const refused = await runOnce(container, { args: ["deploy/healthy.js"], env: nobody, files }).catch(
    () => undefined,
  );
  if (refused !== undefined) throw new Error("the health check passes on a port without a listener");
  console.log("  health    0 with a core, 1 without one");
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

async function checkWrites(installation: Installation, container: Container): Promise<void> {
  const { env } = installation.order("core");
  const said = await runOnce(container, {
    args: ["--input-type=module", "--eval", TRY_TO_WRITE],
    env,
    files: {},
  });
  const written = said
    .trim()
    .split(", ")
    .filter((answer) => answer.endsWith(" written"));
  if (written.join() !== "/tmp written") throw new Error(`it could write: ${written.join(", ")}`);
  console.log(`  writing   ${said.trim()}`);
}

async function runDemo({ dataDir }: Installation): Promise<void> {
  const child = spawn(process.execPath, [DEMO, join(dataDir, "demo")], {
    // oxlint-disable-next-line node/no-process-env -- passed on unchanged
    env: { ...process.env, ATELIER_DATA_DIR: dataDir, NODE_ENV: "development" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = outputOf(child);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0 || !output().includes("it was running already"))
    throw new Error(`the demo failed:\n${output()}`);
  const lines = output().trim().split("\n");
  console.log(`  demo      ${lines.length} lines; its last:`);
  for (const line of lines.slice(-2)) console.log(`            ${line.trim()}`);
}

async function callTool({ toolsUrl, memberKey }: Installation): Promise<void> {
  const answer = await fetch(`${toolsUrl}/api/member/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await answer.json()) as { result?: { tools: unknown[] } };
  if (!result) throw new Error(`the tool endpoint answered ${answer.status}`);
  console.log(`  tools     ${result.tools.length} at /api/member/mcp`);
}

/** An operator's command, with the settings of a core client. */
function operators(installation: Installation, ...words: string[]): Order {
  const { env, files } = installation.order("gateway");
  const key = files["/run/secrets/gateway-key.pem"]?.replace("gateway-key", "cli-key") ?? "";
  return {
    args: ["cli/atelier.ts", ...words],
    env: { ...env, ATELIER_SERVICE_KEY_FILE: "/run/secrets/cli-key.pem" },
    files: { ...files, "/run/secrets/cli-key.pem": key },
  };
}

/** The command's stdout. Throws its output when it fails. */
async function runOnce(container: Container, order: Order): Promise<string> {
  const child = container(order);
  const output = outputOf(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`node ${order.args[0]} ended with ${code}: ${output()}`);
  return output();
}

function outputOf(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
}

/** By SIGTERM, like an engine, and by SIGKILL after the grace period. */
async function stopRole({ role, child, ended, output }: Running): Promise<void> {
  const end = (signal: NodeJS.Signals): void => {
    for (const { pid } of processesOf(child.pid ?? 0).filter(({ program }) => program.endsWith("/node")))
      process.kill(pid, signal);
  };
  end("SIGTERM");
  const timer = setTimeout(() => end("SIGKILL"), STOP_BOUND_MS);
  await ended;
  clearTimeout(timer);
  if (child.exitCode !== 0)
    console.log(`  ${role} ended with ${child.exitCode ?? child.signalCode}: ${output()}`);
}
