// What a trial did to the clients, and whether everything is right after it: judged by what clients were told, by their own ledgers, and
// by the audit.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { Atelier, type LedgerEntry } from "../../clients/js/src/index.ts";
import type { Accepted, Call, Customer, Load } from "./clients.ts";
import type { Cluster } from "./cluster.ts";

const CLI = fileURLToPath(new URL("../../cli/atelier.ts", import.meta.url));
const END_BOUND_MS = 180_000;
const SHOWN = 5;

export type Verdict = {
  readonly calls: number;
  /** By surface. */
  readonly bySurface: Readonly<Record<string, number>>;
  /** How often each kind of failure was seen. */
  readonly failures: Readonly<Record<string, number>>;
  readonly failed: number;
  /** The longest time in which no call succeeded, and in which no job was accepted. */
  readonly pauseSeconds: number;
  readonly acceptPauseSeconds: number;
  readonly slowestSeconds: number;
  /** What is wrong afterwards; nothing, as promised. */
  readonly wrong: readonly string[];
};

export async function judge(
  cluster: Cluster,
  load: Load,
  customers: readonly Customer[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<Verdict> {
  const calls = load.calls.filter(({ answeredAtMs }) => answeredAtMs >= fromMs);
  const good = calls.filter(({ failure }) => failure === undefined);
  const wrong = load.open.map((key) => `${key} was never accepted`);
  for (const customer of customers) wrong.push(...(await wrongBooks(cluster.url, customer, load.accepted)));
  const said = await audit(cluster, join(cluster.folder, "secrets/cli-key.pem"));
  if (said !== undefined) wrong.push(`audit: ${said}`);
  return {
    calls: calls.length,
    bySurface: tally(calls, ({ surface }) => surface),
    failures: tally(
      calls.filter(({ failure }) => failure !== undefined),
      ({ surface, failure }) => `${surface} ${failure}`,
    ),
    failed: calls.length - good.length,
    pauseSeconds: longestPause(good, fromMs, untilMs),
    acceptPauseSeconds: longestPause(
      good.filter(({ what }) => what.startsWith("POST")),
      fromMs,
      untilMs,
    ),
    slowestSeconds:
      Math.max(0, ...good.filter(isShort).map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs)) /
      1000,
    wrong,
  };
}

/** Not one that asked to wait. */
function isShort({ what }: Call): boolean {
  return !/wait|events/.test(what);
}

/** Every job that was accepted has completed, with one reserve and one debit in the account's ledger; there is no other job, and the chain holds. */
async function wrongBooks(
  url: string,
  { generationKey }: Customer,
  accepted: readonly Accepted[],
): Promise<string[]> {
  const client = new Atelier({ baseUrl: url, apiKey: generationKey });
  const own = new Map(accepted.filter(({ key }) => key === generationKey).map((one) => [one.jobId, one]));
  const wrong: string[] = [];
  for (const jobId of own.keys())
    await client
      .wait(jobId, { timeoutMs: END_BOUND_MS })
      .catch((error: Error) => wrong.push(`${jobId}: ${error.message}`));
  const proof = await client.verifyLedger();
  if (!proof.ok) wrong.push(`ledger entry ${proof.seq} does not hold`);
  const entries: LedgerEntry[] = [];
  for await (const entry of client.ledger({ limit: 100 })) if (entry.job_id !== null) entries.unshift(entry);
  const moves = Map.groupBy(entries, ({ job_id }) => job_id ?? "");
  for (const { jobId, credits } of own.values()) {
    const moved = (moves.get(jobId) ?? [])
      .map(({ kind, amount, hold }) => `${kind} ${amount} ${hold}`)
      .join(", ");
    if (moved !== `reserve 0 ${credits}, debit ${-credits} ${-credits}`)
      wrong.push(`${jobId} moved ${moved || "nothing"}`);
  }
  for (const jobId of moves.keys()) if (!own.has(jobId)) wrong.push(`no client was told of ${jobId}`);
  if (own.size !== accepted.filter(({ key }) => key === generationKey).length)
    wrong.push("two requests were told of one job");
  return wrong;
}

/** `atelier audit`, as an operator runs it. What it says where it does not end well. */
export async function audit({ plan }: Cluster, keyPath: string): Promise<string | undefined> {
  const env = plan.parts.find(({ service }) => service === "gateway")?.env ?? {};
  const child = spawn(process.execPath, [CLI, "audit"], {
    env: { ...env, ATELIER_SERVICE_KEY_FILE: keyPath },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0 ? undefined : (await said).join(" ").trim();
}

function tally(calls: readonly Call[], keyOf: (call: Call) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[keyOf(call)] = (counts[keyOf(call)] ?? 0) + 1;
  return counts;
}

function longestPause(good: readonly Call[], fromMs: number, untilMs: number): number {
  const marks = good
    .map(({ answeredAtMs }) => answeredAtMs)
    .filter((atMs) => atMs <= untilMs)
    .sort((a, b) => a - b);
  return Math.max(...[...marks, untilMs].map((atMs, i) => atMs - (marks[i - 1] ?? fromMs))) / 1000;
}

/** A line of the table in docs/reliability.md. */
export function row(name: string, verdict: Verdict): string {
  const kinds = Object.entries(verdict.failures).sort(([, a], [, b]) => b - a);
  const seen = kinds.slice(0, SHOWN).map(([kind, count]) => `${count} × ${kind}`);
  const cells = [
    name,
    Object.entries(verdict.bySurface)
      .map(([surface, count]) => `${count} ${surface}`)
      .join(", "),
    String(verdict.failed),
    seen.join(", ") || "nothing",
    verdict.pauseSeconds.toFixed(1),
    verdict.acceptPauseSeconds.toFixed(1),
    verdict.slowestSeconds.toFixed(1),
    verdict.wrong.length === 0 ? "books right, audit clean" : `${verdict.wrong.length} findings`,
  ];
  return `| ${cells.join(" | ")} |`;
}
