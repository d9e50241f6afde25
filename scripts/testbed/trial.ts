// One fault under load: what its clients saw, how long no job was accepted or completed, and the audit afterwards.
import { setTimeout as sleep } from "node:timers/promises";
import { Atelier } from "../../clients/js/src/index.ts";
import type { App } from "../../core/kernel/app.ts";
import { type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import { auditFindings } from "../../test/support/audit.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { Cluster } from "./cluster.ts";
import { machineInWords } from "./command.ts";
import { createCustomers, type Customer } from "./customers.ts";
import type { Fault } from "./faults.ts";
import { type Call, type LoadOptions, startLoad } from "./load.ts";
import {
  acceptTimes,
  attemptsOf,
  checkOffered,
  longestGapMs,
  nineTenthsSeconds,
  type Offered,
  perBin,
  perSecond,
} from "./rates.ts";
import { withApp } from "./with-app.ts";

export type Report = {
  readonly name: string;
  /** From the fault on, by surface; and the number of each kind of failure. */
  readonly calls: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly failed: readonly Call[];
  /** The accepted share of requests during the fault, before its end. */
  readonly acceptedDuringFault: number;
  /** From the fault to the first accepted request that was sent after it; undefined if there was none. */
  readonly firstAcceptSeconds: number | undefined;
  /** Accepted per second before the fault. */
  readonly beforePerSecond: number;
  /** From the fault until 90% of that are accepted again; undefined if that did not happen. */
  readonly nineTenthsSeconds: number | undefined;
  /** Accepted in each five seconds from the fault on. */
  readonly acceptsPerFiveSeconds: readonly number[];
  /** For a fault with a constant request rate. */
  readonly offered: Offered | undefined;
  /** From the fault to the end of the first job that was first requested after it. */
  readonly firstCompletedSeconds: number | undefined;
  /** The longest time without an accepted job. */
  readonly acceptPauseSeconds: number;
  /** Of the calls without a wait. */
  readonly slowestSeconds: number;
  readonly rescued: number;
  /** The findings afterwards; none when all promises hold. */
  readonly wrong: readonly string[];
};

export type TrialOptions = Pick<LoadOptions, "pace" | "job"> & {
  /** Created for this trial if absent. */
  customers?: readonly Customer[];
  /** Jobs that workers finish immediately, so that they do not limit the accepted rate. */
  quickJob?: object;
  /** How long the load is observed before the fault, and after its end. Default: 5 and 10 s, which the rates need. */
  beforeMs?: number;
  afterMs?: number;
};

export const CUSTOMERS = 3;
const STEADY_REQUESTS = 20;
const BOUND_MS = 180_000;
const BEFORE_MS = 5_000;
const AFTER_MS = 10_000;
/** More clients than group commits delay, so that the service is the limit. */
const FULL_LOAD = { clients: 32, pauseMs: 0 };
const FULL_LOAD_MS = 10_000;

/** All clients come from one address and a few accounts; the limits stay on. */
export const TRIAL_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  ["CATALOG", "GENERATE", "API", "MEMBER", "SIGN_IN", "ACCOUNT", "READS"].map((limit) => [
    `ATELIER_RATE_${limit}`,
    "1000000",
  ]),
);

export async function runTrial(cluster: Cluster, fault: Fault, options: TrialOptions): Promise<Report> {
  const customers =
    options.customers ?? (await withApp(cluster, ({ app }) => createCustomers(app, cluster.url, CUSTOMERS)));
  const full = fault.isOffered ? await fullLoad(cluster, customers, options) : undefined;
  const offeredPerSecond = full && full.perSecond / 2;
  const asked = offeredPerSecond
    ? { pace: { perSecond: offeredPerSecond }, job: options.quickJob }
    : { pace: options.pace, job: options.job };
  const load = startLoad({
    url: cluster.url,
    customers,
    pace: asked.pace,
    ...(asked.job && { job: asked.job }),
  });
  await waitFor("steady load", () => isSteady(load.calls), BOUND_MS);
  await sleep(options.beforeMs ?? BEFORE_MS);

  const [faultAtMs, faultAt] = [performance.now(), Date.now()];
  const say = (line: string): void => {
    const calls = load.calls.filter(({ answeredAtMs }) => answeredAtMs >= faultAtMs);
    console.error(`  ${line} (${calls.length} calls so far, ${calls.filter(hasFailed).length} failed)`);
  };
  const end = await fault.strike(cluster, say, customers);
  if (fault.lastsMs === "accepted")
    await waitFor(
      "an accept under the fault",
      () => acceptedSince(load.calls, faultAtMs).length > 0,
      BOUND_MS,
    );
  else await sleep(fault.lastsMs ?? 0);
  const endedAtMs = performance.now();
  await end?.();
  await sleep(options.afterMs ?? AFTER_MS);
  const untilMs = performance.now();
  await load.stop();
  const found = await withApp(cluster, ({ app }) =>
    verify(app, cluster.url, [...(full?.calls ?? []), ...load.calls], customers),
  );
  const offered = offeredPerSecond
    ? checkOffered(load.calls, { offeredPerSecond, faultAtMs, repairedAtMs: endedAtMs })
    : undefined;
  return {
    name: fault.name,
    offered,
    ...reportOf(load.calls, { faultAtMs, endedAtMs, untilMs }),
    firstCompletedSeconds: firstCompleted(found.made, load.calls, { faultAtMs, faultAt }),
    rescued: found.made.filter(({ rescues }) => rescues > 0).length,
    wrong: found.wrong,
  };
}

/** Those whose name contains one of the words; all without words. */
export function selected(faults: readonly Fault[], words: readonly string[]): readonly Fault[] {
  return faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

/** True if all promises held. */
function hasPassed({ wrong, failed }: Report, { isFlawless }: Pick<Fault, "isFlawless">): boolean {
  return wrong.length === 0 && !(isFlawless && failed.length > 0);
}

type Times = { faultAtMs: number; endedAtMs: number; untilMs: number };

function reportOf(calls: readonly Call[], { faultAtMs, endedAtMs, untilMs }: Times) {
  const after = calls.filter(({ answeredAtMs }) => answeredAtMs >= faultAtMs);
  const [failed, good] = [after.filter(hasFailed), after.filter((call) => !hasFailed(call))];
  const accepted = acceptTimes(calls);
  const beforePerSecond = perSecond(accepted, faultAtMs - BEFORE_MS, faultAtMs);
  const during = acceptedSince(calls, faultAtMs);
  const short = good.filter(({ what }) => !/wait|events/.test(what));
  return {
    calls: tally(after, ({ surface }) => surface),
    failures: tally(failed, ({ surface, failure }) => `${surface} ${failure}`),
    failed,
    acceptedDuringFault: during.filter((atMs) => atMs <= endedAtMs).length,
    firstAcceptSeconds: during[0] === undefined ? undefined : (during[0] - faultAtMs) / 1000,
    beforePerSecond,
    nineTenthsSeconds: nineTenthsSeconds(accepted, beforePerSecond, { faultAtMs, untilMs }),
    acceptsPerFiveSeconds: perBin(accepted, faultAtMs, untilMs),
    acceptPauseSeconds: longestGapMs(accepted, faultAtMs, untilMs) / 1000,
    slowestSeconds: Math.max(0, ...short.map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs)) / 1000,
  };
}

/** The accepted requests per second at saturation, and the calls that showed it. */
async function fullLoad(
  cluster: Cluster,
  customers: readonly Customer[],
  { quickJob }: TrialOptions,
): Promise<{ perSecond: number; calls: readonly Call[] }> {
  const load = startLoad({
    url: cluster.url,
    customers,
    pace: FULL_LOAD,
    ...(quickJob && { job: quickJob }),
  });
  await waitFor("steady load", () => isSteady(load.calls), BOUND_MS);
  const beganMs = performance.now();
  await sleep(FULL_LOAD_MS);
  const endMs = performance.now();
  await load.stop();
  await withApp(cluster, ({ app }) => endedJobs(app, customers));
  return { perSecond: perSecond(acceptTimes(load.calls), beganMs, endMs), calls: load.calls };
}

function hasFailed({ failure }: Call): boolean {
  return failure !== undefined;
}

/** Acceptance times of requests that were sent since then. */
function acceptedSince(calls: readonly Call[], sinceMs: number): number[] {
  return acceptTimes(calls.filter(({ sentAtMs }) => sentAtMs >= sinceMs));
}

/** The last requests were all accepted at the first attempt. */
function isSteady(calls: readonly Call[]): boolean {
  const last = calls.filter(({ request }) => request).slice(-STEADY_REQUESTS);
  return last.length === STEADY_REQUESTS && !last.some(hasFailed);
}

function firstCompleted(
  made: readonly JobDoc[],
  calls: readonly Call[],
  { faultAtMs, faultAt }: { faultAtMs: number; faultAt: number },
): number | undefined {
  const begun = [...attemptsOf(calls).values()].filter(([first]) => first && first.sentAtMs >= faultAtMs);
  const ids = new Set(begun.flat().map(({ request }) => request?.jobId));
  const ends = made
    .filter(({ _id, state }) => state === "completed" && ids.has(_id))
    .map(({ ended_at: at }) => at?.getTime() ?? Number.POSITIVE_INFINITY);
  return ends.length === 0 ? undefined : (Math.min(...ends) - faultAt) / 1000;
}

/** The customers' jobs, and the findings: every request is one job that its client knows, there is no other, and the audit is clean. */
async function verify(
  app: App,
  url: string,
  calls: readonly Call[],
  customers: readonly Customer[],
): Promise<{ made: readonly JobDoc[]; wrong: readonly string[] }> {
  const made = await endedJobs(app, customers);
  const wrong = made
    .filter(({ state }) => state !== "completed")
    .map(({ _id, state, error }) => `${_id} is ${state}: ${error?.code ?? "no error"}`);
  const told = new Set<string>();
  for (const [key, attempts] of attemptsOf(calls)) {
    const ids = new Set(attempts.flatMap(({ request }) => request?.jobId ?? []));
    if (ids.size !== 1) wrong.push(`${key} was told of ${ids.size} jobs`);
    for (const id of ids) {
      if (told.has(id)) wrong.push(`two requests were told of ${id}`);
      told.add(id);
    }
  }
  for (const { _id } of made) if (!told.delete(_id)) wrong.push(`no client was told of ${_id}`);
  for (const id of told) wrong.push(`${id} is gone`);
  for (const { generationKey: apiKey, email } of customers) {
    const proof = await new Atelier({ baseUrl: url, apiKey }).verifyLedger();
    if (!proof.ok) wrong.push(`the ledger of ${email} does not hold at entry ${proof.seq}`);
  }
  wrong.push(...(await auditFindings(app)).map((what) => `audit: ${what}`));
  return { made, wrong };
}

async function endedJobs({ mongo: { db } }: App, customers: readonly Customer[]): Promise<JobDoc[]> {
  const own = { account_id: { $in: customers.map(({ accountId }) => accountId) } };
  const live = { ...own, state: { $in: ["reserved" as const, "running" as const] } };
  await waitFor("every job to end", async () => (await jobs(db).countDocuments(live)) === 0, BOUND_MS);
  return jobs(db).find(own).toArray();
}

function tally(calls: readonly Call[], keyOf: (call: Call) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[keyOf(call)] = (counts[keyOf(call)] ?? 0) + 1;
  return counts;
}

/** Runs the trials in sequence and prints a table, like bench/RESULTS.md. True if all have passed. */
export async function runTrials(
  cluster: Cluster,
  trials: readonly Fault[],
  options: TrialOptions,
): Promise<boolean> {
  const reports: Report[] = [];
  let isGood = true;
  for (const trial of trials) {
    console.error(`${reports.length + 1} of ${trials.length}: ${trial.name}`);
    const report = await runTrial(cluster, trial, options);
    reports.push(report);
    isGood &&= hasPassed(report, trial);
    console.error(row(report));
    for (const wrong of report.wrong) console.error(`  WRONG: ${wrong}`);
    if (trial.isFlawless)
      for (const { what, failure } of report.failed) console.error(`  failed: ${what}: ${failure}`);
  }
  printReports(reports);
  return isGood;
}

function printReports(reports: readonly Report[]): void {
  console.log(
    [
      machineInWords(),
      "",
      "| fault | calls | failures that clients saw | first accept, s | nine tenths of the rate before, s | first completed job, s | longest without an accepted job, s | slowest success, s | taken over | afterwards |",
      `|${" --- |".repeat(10)}`,
      ...reports.map(row),
      "",
      "Accepted per 5 s, before the fault and from it on:",
      "",
      ...reports.map(rates),
    ].join("\n"),
  );
}

function row(report: Report): string {
  const counts = (all: Readonly<Record<string, number>>, times: string) =>
    Object.entries(all)
      .sort(([, a], [, b]) => b - a)
      .map(([what, count]) => `${count}${times} ${what}`)
      .join(", ") || "none";
  const seconds = (value: number | undefined) => value?.toFixed(1) ?? "none";
  const cells = [
    report.name,
    counts(report.calls, ""),
    counts(report.failures, "x"),
    seconds(report.firstAcceptSeconds),
    seconds(report.nineTenthsSeconds),
    seconds(report.firstCompletedSeconds),
    seconds(report.acceptPauseSeconds),
    seconds(report.slowestSeconds),
    String(report.rescued),
    report.wrong.length === 0 ? "nothing lost, audit clean" : `${report.wrong.length} findings`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function rates({ name, beforePerSecond, acceptsPerFiveSeconds, offered }: Report): string {
  const found = `- ${name}: ${Math.round(beforePerSecond * 5)}, then ${acceptsPerFiveSeconds.join(", ")}`;
  if (!offered) return found;
  const gone = offered.backlogGoneSeconds?.toFixed(1) ?? "never";
  return `${found}; of ${offered.perSecond.toFixed(0)} a second offered, ${Math.round(offered.acceptedPart * 100)}% accepted from 8 s on; no backlog after ${gone} s; 99 of 100 accepted within ${offered.p99Seconds.toFixed(1)} s`;
}
