// Checks compose.yaml's services from the image in production: user, writable paths and health check; then a tool call, the demo, the audit,
// and the end of all.
import { readFileSync } from "node:fs";
import { ROLES } from "../../../runtime/config/config-keys.ts";
import { demoFile } from "../../start/seed.ts";
import { atelier, type Cluster, type Member } from "../cluster.ts";
import { runDemo } from "../run-against.ts";
import { IMAGE_USER } from "./container.ts";

/** The grace period in compose.yaml. */
const STOP_BOUND_MS = 60_000;

/** The cluster has started in containers, with the demonstration account. */
export async function checkCluster(cluster: Cluster): Promise<void> {
  const own = ROLES.flatMap(cluster.of);
  try {
    for (const member of own) checkProcess(member);
    await checkHealth(cluster);
    await checkWrites(cluster);
    await callTool(cluster);
    if ((await runDemo(cluster)) !== 0) throw new Error("the demo failed");
    console.log(`  ${await atelier(cluster, ["audit"])}`);
  } finally {
    for (const member of own.toReversed()) await stop(member);
  }
}

/** Its node process runs as the image's user, with no capability permitted or effective. */
function checkProcess(member: Member): void {
  const { name } = member.part;
  const status = readFileSync(`/proc/${nodeOf(member)}/status`, "utf8");
  const valueOf = (key: string) => new RegExp(`^${key}:\\s+(.*)$`, "m").exec(status)?.[1] ?? "";
  if (valueOf("Name") === "sh") throw new Error(`no node runs in the container of ${name}`);
  const users = valueOf("Uid").split("\t");
  if (users.some((user) => user !== String(IMAGE_USER)))
    throw new Error(`${name} runs as ${users.join(", ")}`);
  const capabilities = [valueOf("CapPrm"), valueOf("CapEff")];
  if (!capabilities.every((set) => /^0+$/.test(set)))
    throw new Error(`${name} may ${capabilities.join(", ")}`);
  const memory = Number.parseInt(valueOf("VmRSS"), 10) / 1024;
  console.log(`  ${name.padEnd(9)} ${memory.toFixed(0)} MiB, as ${IMAGE_USER}, without capabilities`);
}

/** The only child of the program that runs the container. */
function nodeOf({ process: { pid } }: Member): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

async function checkHealth(cluster: Cluster): Promise<void> {
  const ask = (env: Record<string, string>) => cluster.runLike("core", ["deploy/healthy.js"], env);
  await ask({});
  const refused = await ask({ ATELIER_OPS_PORT: "9" }).catch(() => undefined);
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
  const said = await cluster.runLike("core", ["--input-type=module", "--eval", TRY_TO_WRITE]);
  if (said.match(/\S+ written/g)?.join() !== "/tmp written") throw new Error(`it could write: ${said}`);
  console.log(`  ${said}`);
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

/** By SIGTERM, like an engine, and by SIGKILL after the grace period. */
async function stop(member: Member): Promise<void> {
  const { part, process: running } = member;
  member.isWanted = false;
  const node = nodeOf(member);
  process.kill(node, "SIGTERM");
  const timer = setTimeout(() => process.kill(node, "SIGKILL"), STOP_BOUND_MS);
  const code = await running.ended;
  clearTimeout(timer);
  if (code !== 0) console.log(`  ${part.name} ended with ${code}: ${running.output()}`);
}
