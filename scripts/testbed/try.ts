// `npm run cluster -- try`: the demo against a cluster, then each trial under load, and what became of it as a table. `-- rotate`: the same
// with the rotation of each secret.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus, totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { readFileSync } from "node:fs";
import { seedDemo } from "../start/seed.ts";
import { type Customer, startClients } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import { createCustomers } from "./customers.ts";
import { judge, row } from "./judge.ts";
import { NOT_ROTATED, ROTATIONS } from "./rotate/rotations.ts";
import { type Trial, TRIALS } from "./trials.ts";
import { withApp } from "./with-app.ts";

const DEMO = fileURLToPath(new URL("../demo.ts", import.meta.url));
export const CUSTOMERS = 3;
const STEADY_MS = 5_000;
const AFTER_MS = 5_000;

/** All clients come from one address and a few accounts; the limits stay on, and are counted in Redis. */
export const TRY_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  ["CATALOG", "GENERATE", "API", "MEMBER", "SIGN_IN", "ACCOUNT", "READS"].map((limit) => [
    `ATELIER_RATE_${limit}`,
    "1000000",
  ]),
);

/** Makes what the demo needs: models, products and its account. */
export async function seedCluster(cluster: Cluster): Promise<string> {
  const { signInUrl } = await withApp(cluster, ({ app }) => seedDemo(app, app.config, cluster.folder));
  return signInUrl;
}

/** What a program needs to find the cluster and to believe its certificate. */
export function clientEnv({ folder, ca }: Cluster): Record<string, string> {
  return { ATELIER_DATA_DIR: folder, NODE_EXTRA_CA_CERTS: ca };
}

/** Exit code. `words` choose among the demo and the trials; none means all. */
export async function tryCluster(cluster: Cluster, words: readonly string[]): Promise<number> {
  trust(cluster);
  const isGood = !isWanted("demo", words) || (await runDemo(cluster)) === 0;
  return (await runTrials(cluster, TRIALS, words)) && isGood ? 0 : 1;
}

/** Exit code. `words` choose among the secrets; none means all. */
export async function rotateSecrets(cluster: Cluster, words: readonly string[]): Promise<number> {
  trust(cluster);
  const isGood = await runTrials(cluster, ROTATIONS, words);
  console.log(`\nnot rotated: ${NOT_ROTATED}`);
  return isGood ? 0 : 1;
}

function isWanted(name: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

async function runTrials(
  cluster: Cluster,
  trials: readonly Trial[],
  words: readonly string[],
): Promise<boolean> {
  let isGood = true;
  const rows: string[] = [];
  for (const trial of trials.filter(({ name }) => isWanted(name, words))) {
    console.error(trial.name);
    const customers = await withApp(cluster, ({ app }) => createCustomers(app, cluster.url, CUSTOMERS));
    const { line, passed } = await runTrial(cluster, trial, customers);
    rows.push(line);
    isGood &&= passed;
  }
  printTable(rows);
  return isGood;
}

/** This process believes the cluster's certificate from now on. */
export function trust({ ca }: Cluster): void {
  setDefaultCACertificates([...getCACertificates(), readFileSync(ca, "utf8")]);
}

export function printTable(rows: readonly string[]): void {
  console.log(
    [
      `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${CUSTOMERS} programs, ${CUSTOMERS} assistants, ${CUSTOMERS} browsers`,
      "",
      "| what happens | calls | failed | what clients saw | longest without any success, s | longest without an accepted job, s | slowest success, s | afterwards |",
      "| --- | --- | --- | --- | --- | --- | --- | --- |",
      ...rows,
    ].join("\n"),
  );
}

async function runDemo(cluster: Cluster): Promise<number> {
  const child = spawn(process.execPath, [DEMO, `${cluster.folder}/demo`], {
    // oxlint-disable-next-line node/no-process-env -- PATH and proxies
    env: { ...process.env, ...clientEnv(cluster) },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

export async function runTrial(
  cluster: Cluster,
  trial: Trial,
  customers: readonly Customer[],
): Promise<{ line: string; passed: boolean }> {
  const load = startClients(cluster.url, customers);
  await sleep(STEADY_MS);
  const fromMs = performance.now();
  const say = (line: string) => {
    const calls = load.calls.filter(({ answeredAtMs }) => answeredAtMs >= fromMs);
    const failed = calls.filter(({ failure }) => failure !== undefined);
    console.error(`  ${line} (${calls.length} calls so far, ${failed.length} failed)`);
  };
  await trial.run(cluster, say, customers);
  await sleep(AFTER_MS);
  const untilMs = performance.now();
  await load.stop();
  const verdict = await judge(cluster, load, customers, { fromMs, untilMs });
  const line = row(trial.name, verdict);
  console.error(line);
  for (const wrong of verdict.wrong) console.error(`  WRONG: ${wrong}`);
  for (const { what, failure, sentAtMs, answeredAtMs } of load.calls.filter(
    ({ failure }) => failure !== undefined,
  ))
    console.error(
      `  failed after ${((sentAtMs - fromMs) / 1000).toFixed(1)} s: ${what}: ${failure} in ${((answeredAtMs - sentAtMs) / 1000).toFixed(1)} s`,
    );
  return { line, passed: verdict.wrong.length === 0 && !(trial.isFlawless && verdict.failed > 0) };
}
